import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isPublished, publish, publishedVersions, readRegistry, switchTo } from '../build/module-store.mjs';

let store: string;
let age = 0;
beforeEach(() => {
  store = mkdtempSync(join(tmpdir(), 'cord-modules-'));
});
afterEach(() => rmSync(store, { recursive: true, force: true }));

/** A build of the module, uploaded; each one is a second younger than the last. */
function upload(version: string): boolean {
  const from = mkdtempSync(join(tmpdir(), 'cord-build-'));
  writeFileSync(join(from, 'mf-manifest.json'), JSON.stringify({ version }));
  const current = publish({ name: 'mfe_tasks', version, sdk: '^1.0.0', from }, store);
  age += 1;
  utimesSync(join(store, 'mfe_tasks', version), new Date(age * 1000), new Date(age * 1000));
  rmSync(from, { recursive: true });
  return current;
}
const current = () => readRegistry(store).modules.mfe_tasks;

test('a published module is in use at once, under a folder of its own', () => {
  expect(upload('1.0.0-aaa')).toBe(true);
  expect(current()).toMatchObject({
    version: '1.0.0-aaa',
    entry: '/modules/mfe_tasks/1.0.0-aaa/mf-manifest.json',
    sdk: '^1.0.0',
  });
  expect(isPublished('mfe_tasks', '1.0.0-aaa', store)).toBe(true);
});

test('a rollback is one switch, and a build of the same sources does not undo it', () => {
  upload('1.0.0-aaa');
  upload('1.0.0-bbb');
  expect(publishedVersions('mfe_tasks', store)).toEqual(['1.0.0-bbb', '1.0.0-aaa']);
  switchTo('mfe_tasks', '1.0.0-aaa', store);
  expect(current()?.version).toBe('1.0.0-aaa');
  expect(upload('1.0.0-bbb')).toBe(false);
  expect(current()?.version).toBe('1.0.0-aaa');
});

test('a version that was never published, or is half uploaded, cannot be switched to', () => {
  upload('1.0.0-aaa');
  mkdirSync(join(store, 'mfe_tasks', '1.0.0-half'), { recursive: true });
  expect(() => switchTo('mfe_tasks', '1.0.0-half', store)).toThrow('never published');
  expect(publishedVersions('mfe_tasks', store)).toEqual(['1.0.0-aaa']);
});

test('old versions go, the one in use stays', () => {
  for (let n = 0; n < 10; n += 1) upload(`1.0.0-${n}`);
  expect(publishedVersions('mfe_tasks', store).length).toBeLessThanOrEqual(6);
  expect(publishedVersions('mfe_tasks', store)[0]).toBe('1.0.0-9');
});
