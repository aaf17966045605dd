import { Refused } from './refused.mjs';
import { filesOf, lineNames, newestSeq, readLine } from './release-line.mjs';

/**
 * What /remotes.json says of the modules, put together from the newest line of each. A line that cannot be read leaves out its own module only.
 * Lines never change, so each is read once.
 * @param {import('./folder-store.mjs').ModuleStore} store
 * @returns {() => Promise<Registry>}
 *
 * @typedef {{version: string, entry: string, sdk: string, ui?: string}} Entry
 * @typedef {object} Registry
 * @property {string} version another one after each switch: the number of lines in all journals
 * @property {Record<string, Entry>} modules
 * @property {string[]} problems what could not be read
 */
export function registryReader(store) {
  const known = new Map();

  async function entryOf(name, seq) {
    const kept = known.get(name);
    if (kept?.seq === seq) return kept;
    try {
      const { version, sdk, ui } = await readLine(store, name, seq);
      const read = { seq, entry: { version, entry: `/modules/${filesOf(name, version)}/mf-manifest.json`, sdk, ui } };
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
    return {
      version: String(read.reduce((sum, { seq }) => sum + seq, 0)),
      modules: Object.fromEntries(read.filter(({ entry }) => entry).map(({ name, entry }) => [name, entry])),
      problems: read.flatMap(({ problem }) => problem ?? []),
    };
  };
}
