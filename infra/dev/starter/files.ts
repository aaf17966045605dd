import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Writes the whole file or nothing: a reader never meets half of it. */
export async function writeWhole(file: string, text: string | Uint8Array, mode = 0o600): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode });
  await rename(draft, file);
}

/** @returns the parsed file, which is believed to be of that shape, or undefined where there is none or it is not JSON */
export async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
