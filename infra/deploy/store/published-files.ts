import type { ModuleStore, StoredFile } from './folder-store.js';
import { type Facts, filesOf, type Line, newestSeq, readJournal } from './release-line.js';

/** Whether a stored file matches its journal; `changed` also when it was never recorded, `unknown` when no line names the version. */
export type Verdict = 'true' | 'changed' | 'missing' | 'unknown';

/** Compares files of a store with their journals. Each state of a file is hashed once. */
export function publishedFiles(store: ModuleStore): (name: string, version: string, file: string) => Promise<Verdict> {
  /** By name. */
  const journals = new Map<string, { seq: number; hashes: Map<string, Record<string, string>> }>();
  /** By key. */
  const judged = new Map<string, { stamp: string; verdict: Verdict }>();

  async function hashesOf(name: string, version: string): Promise<Record<string, string> | undefined> {
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
    // Unrecorded files are not cached: their number is unbounded.
    if (!Object.hasOwn(hashes, file)) return 'changed';
    const before = judged.get(key);
    if (before?.stamp === stamp) return before.verdict;
    const verdict = (await store.sha256(key)) === hashes[file] ? 'true' : 'changed';
    judged.set(key, { stamp, verdict });
    return verdict;
  };
}

/**
 * Collects the recorded hashes of each version, canaries too; the first line that names a version counts.
 * @returns sha256 by path, by version
 */
export function hashesIn(journal: readonly Line[]): Map<string, Record<string, string>> {
  const hashes = new Map<string, Record<string, string>>();
  for (const facts of journal.flatMap((line): Facts[] => [line, ...(line.canary ? [line.canary] : [])]))
    if (facts.files && !hashes.has(facts.version)) hashes.set(facts.version, facts.files);
  return hashes;
}

/**
 * Finds a stored file that differs from its record.
 * @returns the first path in alphabetical order
 */
export function changedAmong(stored: readonly StoredFile[], recorded: Record<string, string>): string | undefined {
  const now = new Map(stored.map(({ path, sha256 }) => [path, sha256]));
  return [...new Set([...now.keys(), ...Object.keys(recorded)])]
    .sort()
    .find((path) => now.get(path) !== recorded[path]);
}
