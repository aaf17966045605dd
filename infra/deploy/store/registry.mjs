import { Refused } from './refused.mjs';
import { filesOf, lineNames, newestSeq, readLine, SHELL } from './release-line.mjs';

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
    return {
      version: String(read.reduce((sum, { seq }) => sum + seq, 0)),
      modules: Object.fromEntries(named.map(({ name, entry }) => [name, entry])),
      lines: Object.fromEntries(read.filter(({ line }) => line).map(({ name, line }) => [name, line])),
      shell: read.find(({ name }) => name === SHELL)?.line,
      problems: read.flatMap(({ problem }) => problem ?? []),
    };
  };
}

/** What browsers are told of a line: a canary is an entry of its own, with all that its version says. */
function entryFrom(name, { canary, ...facts }) {
  return { ...releaseOf(name, facts), ...(canary && { canary: { ...releaseOf(name, canary), share: canary.share } }) };
}

function releaseOf(name, facts) {
  const { version, sdk, ui, tab, parts = [], files = {} } = facts;
  const entry = `/modules/${filesOf(name, version)}/${MANIFEST}`;
  const hashed = [MANIFEST, ENTRY].filter((file) => files[file]);
  const integrity = Object.fromEntries(hashed.map((file) => [file, integrityOf(files[file])]));
  return { version, entry, integrity, sdk, ui, ...(tab && { tab }), parts };
}

/** As browsers take it (Subresource Integrity). @param {string} sha256 hex */
function integrityOf(sha256) {
  return `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
}
