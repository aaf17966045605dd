import { readFile } from 'node:fs/promises';

/** @returns the parsed file, which is believed to be of that shape, or undefined where there is none or it is not JSON */
export async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
