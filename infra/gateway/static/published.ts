import type { ModuleStore } from '@cord/deploy/store/folder-store';
import { publishedFiles } from '@cord/deploy/store/published-files';
import type { Log } from '@cord/kit/log';

/** Suffixes of a file's compressed variants. */
const COMPRESSED = ['.br', '.gz'];
/** Maximum number of changed files listed; further ones are only logged. */
const SHOWN_MAX = 100;

/** Compares files of published versions with the checksums recorded at the publish. */
export interface Published {
  /**
   * Whether a file of a version, and its compressed variants, are unchanged since the publish. A changed file is logged, and listed until it is repaired.
   * @param file its path in the version's folder
   */
  mayServe(name: string, version: string, file: string): Promise<boolean>;
  /** Returns versions with requested files that changed since the publish; each is checked again, so repaired or removed ones are omitted. */
  changed(): Promise<{ module: string; version: string }[]>;
}

export function createPublished(store: ModuleStore, log: Pick<Log, 'error'>): Published {
  const verdictOf = publishedFiles(store);
  const changed = new Map<string, { module: string; version: string; file: string }>();

  async function isAsPublished(name: string, version: string, file: string, isNeeded: boolean): Promise<boolean> {
    const key = `${name}/${version}/${file}`;
    const verdict = await verdictOf(name, version, file);
    if (verdict !== 'changed') {
      changed.delete(key);
      return verdict === 'true' || (verdict === 'missing' && !isNeeded);
    }
    if (!changed.has(key))
      log.error({ module: name, version, file }, 'a published file was changed in the store: not served');
    if (changed.size < SHOWN_MAX) changed.set(key, { module: name, version, file });
    return false;
  }

  return {
    async mayServe(name, version, file) {
      const isSame = [isAsPublished(name, version, file, true)];
      for (const compressed of COMPRESSED) isSame.push(isAsPublished(name, version, file + compressed, false));
      return (await Promise.all(isSame)).every(Boolean);
    },
    async changed() {
      const known = [...changed.values()];
      await Promise.all(known.map(({ module, version, file }) => isAsPublished(module, version, file, true)));
      return [...changed.values()].map(({ module, version }) => ({ module, version }));
    },
  };
}
