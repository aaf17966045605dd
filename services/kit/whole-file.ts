import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes the whole file or nothing, onto the disk: a reader never meets half of it, and a loss of power takes nothing of it. */
export async function writeWhole(file: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  await rename(await draftOf(file, text, mode), file);
  await syncFolder(dirname(file));
}

/** The same where there is no file of that name; the one that is there stays. */
export async function writeOnce(file: string, text: string, mode = 0o600): Promise<void> {
  const draft = await draftOf(file, text, mode);
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
  await syncFolder(dirname(file));
}

/** @returns the path of a synced file beside it */
async function draftOf(file: string, text: string | Uint8Array, mode: number): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode, flush: true });
  return draft;
}

/** A new name is on the disk once its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
