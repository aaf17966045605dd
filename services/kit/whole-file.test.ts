import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stopAfterTest } from './testing/lifetimes.js';
import { scratch } from './testing/scratch.js';
import { writeOnce, writeWhole } from './whole-file.js';

test('a file that cannot be renamed leaves no draft behind', async () => {
  const { folder } = stopAfterTest(await scratch());
  await mkdir(join(folder, 'taken'));
  await writeWhole(join(folder, 'file'), 'text');
  await writeOnce(join(folder, 'file'), 'other');
  await expect(writeWhole(join(folder, 'taken'), 'text')).rejects.toThrow('EISDIR');
  expect((await readdir(folder)).sort()).toEqual(['file', 'taken']);
  expect(await readFile(join(folder, 'file'), 'utf8')).toBe('text');
});
