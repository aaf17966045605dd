import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes the whole file or nothing, synced to disk: a reader never sees half of it, and a power loss does not damage it. */
export async function writeWhole(file: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  await writeDraftThen(file, text, mode, (draft) => rename(draft, file));
}

/** The same when no file of that name exists; an existing one is left unchanged. */
export async function writeOnce(file: string, text: string, mode = 0o600): Promise<void> {
  await writeDraftThen(file, text, mode, (draft) =>
    link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    }),
  );
}

/** Writes a synced draft and gives it the file's name; removes the draft after a failure, such as a full disk. */
async function writeDraftThen(
  file: string,
  text: string | Uint8Array,
  mode: number,
  name: (draft: string) => Promise<void>,
) {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode, flush: true });
    await name(draft);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
  await syncFolder(dirname(file));
}

/** Syncs a folder: a new name is on the disk only after that. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
