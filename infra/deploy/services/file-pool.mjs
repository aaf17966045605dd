import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Refused } from '../store/refused.mjs';

const FILES = '.files';
const DRAFTS = '.drafts';
/** What is being put among the files is used within this, ms. */
const UNUSED_MS = 24 * 3_600_000;

/** @param {Buffer | string} content */
export const sha256Of = (content) => createHash('sha256').update(content).digest('hex');

/**
 * Files of releases by their content: most of a release is as in the one before it and in the other services, and stands on the disk
 * once, whatever it is called in each.
 * @param {string} folder of the releases
 */
export function filePool(folder) {
  const placeOf = (sha256) => path.join(folder, FILES, sha256);
  /** Of this process; several services bring the same file at once. */
  const kept = new Map();

  async function put(source, sha256) {
    const place = placeOf(sha256);
    if (await exists(place)) return place;
    const content = await readFile(source);
    if (sha256Of(content) !== sha256) throw new Refused(`${source} was rebuilt in the meantime: try again`);
    const draft = path.join(folder, DRAFTS, randomUUID());
    await Promise.all([FILES, DRAFTS].map((name) => mkdir(path.join(folder, name), { recursive: true })));
    try {
      const handle = await open(draft, 'wx', 0o444);
      await handle.writeFile(content);
      await handle.sync();
      await handle.close();
      await link(draft, place).catch((error) => {
        if (error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { force: true });
    }
    return place;
  }

  return {
    /**
     * Has a file among them, on the disk when it returns, and for reading only.
     * @returns {Promise<string>} where it lies
     * @throws Refused when it has another content by now
     */
    keep(source, sha256) {
      if (!kept.has(sha256)) kept.set(sha256, put(source, sha256));
      return kept.get(sha256);
    },

    /** Takes away what no release has any more. */
    async sweep(nowMs = Date.now()) {
      for (const name of await readdir(path.join(folder, FILES)).catch(() => [])) {
        const { nlink, mtimeMs } = await stat(placeOf(name));
        if (nlink === 1 && nowMs - mtimeMs > UNUSED_MS) await rm(placeOf(name), { force: true });
      }
    },
  };
}

function exists(file) {
  return stat(file).then(
    () => true,
    () => false,
  );
}
