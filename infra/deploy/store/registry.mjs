import { broughtBy } from './facts-before.mjs';
import { Refused } from './refused.mjs';
import { filesOf, lineNames, newestSeq, readJournal, readLine, SHELL } from './release-line.mjs';

/** What the shell loads of a module by itself; the entry knows the hashes of all that comes after it. */
const MANIFEST = 'mf-manifest.json';
const ENTRY = 'remoteEntry.js';

/**
 * What /remotes.json says of modules and shell, put together from the newest line of each. A line that cannot be read leaves out its own module only.
 * Lines never change, so each is read once.
 * @param {import('./folder-store.mjs').ModuleStore} store
 * @returns {() => Promise<Registry>}
 *
 * @typedef {{version: string, entry: string, integrity: Record<string, string>, sdk: string, ui?: string} & import('@cord/build/module-facts.mjs').ModuleFacts} Release
 * @typedef {Release & {canary?: Release & {share: number}}} Entry
 * @typedef {object} Registry
 * @property {string} version another one after each switch: the number of lines in all journals
 * @property {Record<string, Entry>} modules
 * @property {Record<string, import('./release-line.mjs').Line>} lines the newest of each module, and of the shell
 * @property {import('./release-line.mjs').Line} [shell] the newest of the shell, where one was published
 * @property {string[]} problems what could not be read
 */
export function registryReader(store) {
  const known = new Map();

  async function entryOf(name, seq) {
    const kept = known.get(name);
    if (kept?.seq === seq) return kept;
    try {
      const line = await readLine(store, name, seq);
      if (typeof line.sdk !== 'string') throw new Refused(`line ${seq} of ${name} in ${store.where} lacks sdk`);
      const read = name === SHELL ? { seq, line } : { seq, line, entry: entryFrom(name, line) };
      known.set(name, read);
      return read;
    } catch (error) {
      if (error instanceof Refused) return { seq, problem: error.message };
      throw error;
    }
  }

  return async () => {
    const names = await lineNames(store);
    const read = await Promise.all(
      names.map(async (name) => ({ name, ...(await entryOf(name, await newestSeq(store, name))) })),
    );
    const named = read.filter(({ entry }) => entry);
    const doubles = await doublesAmong(store, named);
    return {
      version: String(read.reduce((sum, { seq }) => sum + seq, 0)),
      modules: Object.fromEntries(named.map(({ name, entry }) => [name, doubles.get(name)?.entry ?? entry])),
      lines: Object.fromEntries(read.filter(({ line }) => line).map(({ name, line }) => [name, line])),
      shell: read.find(({ name }) => name === SHELL)?.line,
      problems: [...read.flatMap(({ problem }) => problem ?? []), ...[...doubles.values()].map((each) => each.problem)],
    };
  };
}

/** Of two modules that bring a tab of one id, the one that was published first keeps it; the other is without, and so is a canary with another's. */
async function doublesAmong(store, named) {
  const doubles = new Map();
  const ids = named.flatMap(({ entry }) => entry.tab?.id ?? []);
  for (const id of new Set(ids.filter((each, index) => ids.indexOf(each) !== index))) {
    const rivals = await Promise.all(
      named
        .filter(({ entry }) => entry.tab?.id === id)
        .map(async ({ name, entry }) => ({ name, entry, since: (await readJournal(store, name))[0]?.when ?? '' })),
    );
    const [first, ...later] = rivals.sort((a, b) => (a.since < b.since ? -1 : 1));
    for (const { name, entry } of later) {
      const { tab: _tab, ...rest } = entry;
      doubles.set(name, { entry: rest, problem: `${name} brings the tab ${id}, which is ${first.name}'s` });
    }
  }
  for (const { name, entry } of named) {
    const id = entry.canary?.tab?.id;
    const owner = id && named.find((other) => other.name !== name && other.entry.tab?.id === id)?.name;
    if (!owner) continue;
    const { tab: _tab, ...canary } = entry.canary;
    const problem = `the canary of ${name} brings the tab ${id}, which is ${owner}'s`;
    doubles.set(name, { entry: { ...(doubles.get(name)?.entry ?? entry), canary }, problem });
  }
  return doubles;
}

/** What browsers are told of a line: a canary is an entry of its own, with all that its version says. */
function entryFrom(name, { canary, ...facts }) {
  return { ...releaseOf(name, facts), ...(canary && { canary: { ...releaseOf(name, canary), share: canary.share } }) };
}

function releaseOf(name, facts) {
  const { version, sdk, ui, files = {} } = facts;
  const entry = `/modules/${filesOf(name, version)}/${MANIFEST}`;
  const hashed = [MANIFEST, ENTRY].filter((file) => files[file]);
  const integrity = Object.fromEntries(hashed.map((file) => [file, integrityOf(files[file])]));
  return { version, entry, integrity, sdk, ui, ...broughtBy(name, facts) };
}

/** As browsers take it (Subresource Integrity). @param {string} sha256 hex */
function integrityOf(sha256) {
  return `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
}
