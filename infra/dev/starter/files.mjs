import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Writes the whole file or nothing: a reader never meets half of it. */
export async function writeWhole(file, text, mode = 0o600) {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode });
  await rename(draft, file);
}

/** @returns {Promise<any>} the parsed file, or undefined where there is none or it is not JSON */
export async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
