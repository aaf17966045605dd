import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes the whole file or nothing, onto the disk: a reader never meets half of it, and a loss of power takes nothing of it. */
export async function writeWhole(file: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  await named(file, text, mode, (draft) => rename(draft, file));
}

/** The same where there is no file of that name; the one that is there stays. */
export async function writeOnce(file: string, text: string, mode = 0o600): Promise<void> {
  await named(file, text, mode, (draft) =>
    link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    }),
  );
}

/** Writes a synced file beside it, which gets its name; nothing of it is left where it does not, as on a full disk. */
async function named(file: string, text: string | Uint8Array, mode: number, name: (draft: string) => Promise<void>) {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode, flush: true });
    await name(draft);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
  await syncFolder(dirname(file));
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
