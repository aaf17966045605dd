import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { beforeEach, expect, test } from 'vitest';
import { folderStore } from '../store/folder-store.js';
import { builtService, mainOf, releaseFolder, uploadRelease } from './release.js';

let root: string;
beforeEach(async () => {
  root = stopAfterTest(await scratch()).folder;
  await files({
    'services/tasks/package.json': '{"name":"@cord/tasks","version":"1.2.0"}',
    'services/tasks/dist/main.js': 'main',
    'services/tasks/dist/main.js.map': 'map',
    'services/tasks/dist/http/tasks.js': 'tasks',
    'services/tasks/node_modules/bs58/index.js': 'an own version',
    'services/tasks/node_modules/@cord/kit/dist/http.js': 'never',
    'services/kit/package.json': '{"name":"@cord/kit"}',
    'services/kit/dist/http.js': 'kit',
    'services/kit/dist/testing/index.js': 'of tests',
    'services/contracts/package.json':
      '{"name":"@cord/contracts","exports":{"./verify.mjs":"./proof/verify.mjs","./*":{"default":"./dist/*.js"}}}',
    'services/contracts/proof/verify.mjs': 'verifier',
    'services/contracts/dist/limits.js': 'contracts',
  });
});

async function files(texts: Record<string, string>) {
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
}

test('a release contains the service, its kit and contracts, and its own package versions', async () => {
  const built = await builtService('tasks', root);
  expect(Object.keys(built.files).sort()).toEqual([
    'dist/http/tasks.js',
    'dist/main.js',
    'node_modules/@cord/contracts/dist/limits.js',
    'node_modules/@cord/contracts/package.json',
    'node_modules/@cord/contracts/proof/verify.mjs',
    'node_modules/@cord/kit/dist/http.js',
    'node_modules/@cord/kit/package.json',
    'node_modules/bs58/index.js',
    'package.json',
  ]);
  expect(built.version).toMatch(/^1\.2\.0-[0-9a-f]{12}$/);
  const store = folderStore(path.join(root, 'data/releases'));
  const facts = await uploadRelease(store, built);
  const folder = releaseFolder(path.join(root, 'data'), 'tasks', built.version);
  expect(await readFile(mainOf(folder), 'utf8')).toBe('main');
  expect(await readFile(path.join(folder, 'node_modules/@cord/kit/dist/http.js'), 'utf8')).toBe('kit');
  expect(facts).toMatchObject({ version: built.version, files: built.files });
  expect(await uploadRelease(store, built)).toEqual(facts);
});

test('a release is read-only, and excludes what is rebuilt while it is copied', async () => {
  const store = folderStore(path.join(root, 'releases'));
  const built = await builtService('tasks', root);
  await files({ 'services/tasks/dist/main.js': 'newer' });
  await uploadRelease(store, built);
  const main = path.join(root, 'releases/tasks', built.version, 'dist/main.js');
  expect(await readFile(main, 'utf8')).toBe('main');
  expect((await stat(main)).mode & 0o222).toBe(0);
});

test('every change in running code, also of the kit, gives another version; tests and maps do not', async () => {
  const { version } = await builtService('tasks', root);
  expect((await builtService('tasks', path.join(root, 'services/tasks'))).version).toBe(version);
  await files({ 'services/tasks/dist/main.js.map': 'other', 'services/kit/dist/testing/index.js': 'other' });
  expect((await builtService('tasks', root)).version).toBe(version);
  await files({ 'services/kit/dist/http.js': 'newer kit' });
  expect((await builtService('tasks', root)).version).not.toBe(version);
});

test('a folder that is not a built service is rejected, naming what is missing', async () => {
  await expect(builtService('tasks', path.join(root, 'nowhere'))).rejects.toThrow('it has no package.json');
  await expect(builtService('rewards', path.join(root, 'services/tasks'))).rejects.toThrow(
    'contains @cord/tasks, not rewards',
  );
  await rm(path.join(root, 'services/kit'), { recursive: true });
  await rm(path.join(root, 'services/tasks/node_modules'), { recursive: true });
  await expect(builtService('tasks', root)).rejects.toThrow('no built @cord/kit');
  await rm(path.join(root, 'services/tasks/dist'), { recursive: true });
  await expect(builtService('tasks', root)).rejects.toThrow('not built: it has no dist/main.js');
});
