import { readFile } from 'node:fs/promises';
import { jsonIn } from '../../../services/kit/json.ts';

/** @returns the parsed file (its shape is not checked), or undefined when it is missing or not JSON */
export async function readJson<T>(file: string): Promise<T | undefined> {
  return jsonIn(await readFile(file, 'utf8').catch(() => '')) as T | undefined;
}
