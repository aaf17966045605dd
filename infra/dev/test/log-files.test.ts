import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { beforeEach, expect, test } from 'vitest';
import { rotateLog } from '../starter/supervised.ts';

let file: string;
beforeEach(async () => {
  file = join(stopAfterTest(await scratch()).folder, 'mining.log');
});

test('a log at its size limit is rotated, while its writer keeps writing', async () => {
  const writer = openSync(file, 'a', 0o600);
  const write = (text: string) => writeSync(writer, text);
  write('first\n');
  expect(await rotateLog(file, 10)).toBe(false);
  write('and second\n');
  expect(await rotateLog(file, 10)).toBe(true);
  write('third\n');
  expect(await readFile(`${file}.1`, 'utf8')).toBe('first\nand second\n');
  expect(await readFile(file, 'utf8')).toBe('third\n');
  // Only the owner may read it.
  expect((await stat(`${file}.1`)).mode & 0o777).toBe(0o600);
  closeSync(writer);
});

test('rotation keeps three files of a log', async () => {
  for (const text of ['one', 'two', 'three', 'four']) {
    await writeFile(file, text);
    await rotateLog(file, 2);
  }
  const kept = [`${file}.1`, `${file}.2`].map((name) => readFile(name, 'utf8'));
  expect(await Promise.all(kept)).toEqual(['four', 'three']);
  await expect(readFile(`${file}.3`)).rejects.toThrow();
});
