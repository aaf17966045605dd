import { readFile } from 'node:fs/promises';
import { jsonIn } from '../../../services/kit/json.ts';

/** @returns the parsed file, which is believed to be of that shape, or undefined where there is none or it is not JSON */
export async function readJson<T>(file: string): Promise<T | undefined> {
  return jsonIn(await readFile(file, 'utf8').catch(() => '')) as T | undefined;
}
