import { randomUUID } from 'node:crypto';
import { open, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes the whole file or nothing, onto the disk: a reader never meets half of it, and a loss of power takes nothing of it. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}
