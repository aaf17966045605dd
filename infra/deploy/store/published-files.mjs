import { filesOf, newestSeq, readJournal } from './release-line.mjs';

/**
 * Whether a file of the store is what its journal has recorded: `true`; `changed`, or there without having been recorded; `missing`; `unknown`
 * where no line names the version. A file is hashed once for each of its states.
 * @typedef {'true' | 'changed' | 'missing' | 'unknown'} Verdict
 *
 * @param {import('./folder-store.mjs').ModuleStore} store
 * @returns {(name: string, version: string, file: string) => Promise<Verdict>}
 */
export function publishedFiles(store) {
  /** @type {Map<string, {seq: number, hashes: Map<string, Record<string, string>>}>} by name */
  const journals = new Map();
  /** @type {Map<string, {stamp: string, verdict: Verdict}>} by key */
  const judged = new Map();

  async function hashesOf(name, version) {
    const kept = journals.get(name);
    if (kept?.hashes.has(version)) return kept.hashes.get(version);
    const seq = await newestSeq(store, name);
    if (kept?.seq === seq) return undefined;
    const hashes = hashesIn(await readJournal(store, name));
    journals.set(name, { seq, hashes });
    return hashes.get(version);
  }

  return async (name, version, file) => {
    const hashes = await hashesOf(name, version);
    if (!hashes) return 'unknown';
    const key = `${filesOf(name, version)}/${file}`;
    const stamp = await store.stamp(key);
    if (stamp === null) return 'missing';
    // What nobody has recorded is not remembered: there is no end to it.
    if (!Object.hasOwn(hashes, file)) return 'changed';
    const before = judged.get(key);
    if (before?.stamp === stamp) return before.verdict;
    const verdict = (await store.sha256(key)) === hashes[file] ? 'true' : 'changed';
    judged.set(key, { stamp, verdict });
    return verdict;
  };
}

/**
 * What the lines of a journal have recorded of each version, canaries too: the first that names it has the word.
 * @param {import('./release-line.mjs').Line[]} journal
 * @returns {Map<string, Record<string, string>>} sha256 by path, by version
 */
export function hashesIn(journal) {
  const hashes = new Map();
  for (const facts of journal.flatMap((line) => [line, line.canary ?? []].flat()))
    if (facts.files && !hashes.has(facts.version)) hashes.set(facts.version, facts.files);
  return hashes;
}

/**
 * What of a version's stored files is not as recorded.
 * @param {import('./folder-store.mjs').StoredFile[]} stored
 * @param {Record<string, string>} recorded
 * @returns {string | undefined} the first path, in the order of the alphabet
 */
export function changedAmong(stored, recorded) {
  const now = new Map(stored.map(({ path, sha256 }) => [path, sha256]));
  return [...new Set([...now.keys(), ...Object.keys(recorded)])]
    .sort()
    .find((path) => now.get(path) !== recorded[path]);
}
