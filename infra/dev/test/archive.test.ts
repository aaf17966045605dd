import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratch, starter } from './starter.js';

const { exportData, importData, resetData } = await starter('archive');
const { lockDataFolder, secret } = await starter('data-folder');

let place: Awaited<ReturnType<typeof scratch>>;
let dataDir: string;
beforeEach(async () => {
  place = await scratch();
  dataDir = join(place.folder, 'data');
  await mkdir(join(dataDir, 'store'), { recursive: true });
  await writeFile(join(dataDir, 'store/data.mdb'), 'every micro-CORD');
  await writeFile(join(dataDir, 'clock.json'), '{"offsetMs":5}');
  await secret(dataDir, 'session-secret');
});
afterEach(() => place.remove());

test('what was exported is there again after an import, secrets included', async () => {
  const file = join(place.folder, 'backup.tgz');
  const made = await secret(dataDir, 'session-secret');
  expect(await exportData(dataDir, file)).toEqual(['store', 'secrets', 'clock.json']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const other = join(place.folder, 'other');
  expect(await importData(other, file)).toEqual(['store', 'secrets', 'clock.json']);
  expect(await readFile(join(other, 'store/data.mdb'), 'utf8')).toBe('every micro-CORD');
  expect(await secret(other, 'session-secret')).toBe(made);
});

test('nothing is done to the data of a running system', async () => {
  const lock = await lockDataFolder(dataDir);
  const file = join(place.folder, 'backup.tgz');
  await expect(exportData(dataDir, file)).rejects.toThrow('in use');
  await expect(resetData(dataDir)).rejects.toThrow('in use');
  await lock.release();
  expect(await readFile(join(dataDir, 'store/data.mdb'), 'utf8')).toBe('every micro-CORD');
});

test('an import never goes over existing data', async () => {
  const file = join(place.folder, 'backup.tgz');
  await exportData(dataDir, file);
  await writeFile(join(dataDir, 'store/data.mdb'), 'newer');
  await expect(importData(dataDir, file)).rejects.toThrow('reset');
  expect(await readFile(join(dataDir, 'store/data.mdb'), 'utf8')).toBe('newer');
  await resetData(dataDir);
  await importData(dataDir, file);
  expect(await readFile(join(dataDir, 'store/data.mdb'), 'utf8')).toBe('every micro-CORD');
});

test('a file that is no export is refused and leaves nothing behind', async () => {
  const file = join(place.folder, 'noise.tgz');
  await writeFile(file, 'noise');
  const other = join(place.folder, 'other');
  await expect(importData(other, file)).rejects.toThrow();
  await expect(exportData(other, file)).rejects.toThrow('no data');
});
