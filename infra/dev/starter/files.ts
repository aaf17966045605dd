import { readFile } from 'node:fs/promises';

/** @returns the parsed file, which is believed to be of that shape, or undefined where there is none or it is not JSON */
export async function readJson<T>(file: string): Promise<T | undefined> {
  return parsed(await readFile(file, 'utf8').catch(() => ''));
}

/** @returns the value, which is believed to be of that shape, or undefined for a text that is not JSON */
export function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
