import type { ModuleStore } from '@cord/deploy/store/folder-store';
import { publishedFiles } from '@cord/deploy/store/published-files';
import type { Log } from '@cord/kit/log';

/** What of a file is served beside it to who takes it. */
const COMPRESSED = ['.br', '.gz'];
/** Files that are shown as changed; more are logged alone. */
const SHOWN_MAX = 100;

/** Published versions whose files are compared with what was recorded when they were published. */
export interface Published {
  /**
   * Whether a file of a version, and what is compressed of it, is as it was published. One that is not is logged, and shown until it is.
   * @param file its path in the version's folder
   */
  mayServe(name: string, version: string, file: string): Promise<boolean>;
  /** Versions with files that were requested and are not as published, each looked at once more: one that was mended or taken away is not among them. */
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
      log.error({ module: name, version, file }, 'a published file has changed in the store: it is not served');
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
