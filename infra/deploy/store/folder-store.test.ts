import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { builtFolder } from '../test/built-folder.js';
import { folderStore } from './folder-store.js';
import { Refused } from './refused.js';

const HOUR_MS = 3_600_000;
const emptyFolder = () => mkdtempSync(path.join(tmpdir(), 'cord-modules-'));

test('of 20 concurrent writers of one name one wins, and its text is what everyone reads', async () => {
  const folder = emptyFolder();
  const view = () => folderStore(folder);
  const writers = Array.from({ length: 20 }, (_, n) =>
    view().create('.lines/a/0000000001.json', `writer ${n} `.repeat(500)),
  );
  const won = (await Promise.all(writers)).flatMap((first, n) => (first ? [n] : []));
  expect(won).toHaveLength(1);
  expect(await view().read('.lines/a/0000000001.json')).toBe(`writer ${won[0]} `.repeat(500));
  expect(await view().create('.lines/a/0000000001.json', 'later')).toBe(false);
});

test('names lists the direct children in order, without drafts', async () => {
  const store = folderStore(emptyFolder());
  expect(await store.names('.lines')).toEqual([]);
  expect(await store.read('.lines/b/1')).toBeNull();
  for (const key of ['.lines/b/2', '.lines/b/1', '.lines/a/1']) await store.create(key, 'x');
  expect(await store.names('.lines')).toEqual(['a', 'b']);
  expect(await store.names('.lines/b')).toEqual(['1', '2']);
  expect(await store.names('')).toEqual([]);
});

test('an upload has all files of the build except its notes, and never overwrites', async () => {
  const folder = emptyFolder();
  const view = () => folderStore(folder);
  const built = builtFolder({ 'mf-manifest.json': '{}', 'assets/page.js': 'page', '.build.json': '{}' });
  const other = builtFolder({ 'assets/page.js': 'other' });
  const outcomes = await Promise.all([built, built, built].map((files) => view().upload('m/1', files)));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await view().upload('m/1', other)).toBe(false);
  expect(await view().describe('m/1')).toEqual([
    { path: 'assets/page.js', bytes: 4, sha256: '3660315a9af3df255d8f19ab077e4797822b41488a0e2a04bc6af71213c23274' },
    {
      path: 'mf-manifest.json',
      bytes: 2,
      sha256: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    },
  ]);
  expect(await view().read('m/1/assets/page.js')).toBe('page');
  expect(await view().names('m')).toEqual(['1']);
});

test('a failed upload leaves nothing under its name', async () => {
  const store = folderStore(emptyFolder());
  await expect(store.upload('m/1', '/nowhere/at/all')).rejects.toThrow();
  expect(await store.names('m')).toEqual([]);
  expect(await store.upload('m/1', builtFolder({ a: 'a' }))).toBe(true);
});

test('an upload with a link is rejected and leaves nothing', async () => {
  const store = folderStore(emptyFolder());
  const built = builtFolder({ a: 'a' });
  symlinkSync(path.join(builtFolder({ secret: 'private' }), 'secret'), path.join(built, 'b'));
  await expect(store.upload('m/1', built)).rejects.toThrow('neither a file nor a folder');
  expect(await store.names('m')).toEqual([]);
});

test('the stamp of a file changes with the file, and its hash is that of its bytes', async () => {
  const store = folderStore(emptyFolder());
  expect(await store.stamp('m/1/a')).toBeNull();
  await store.upload('m/1', builtFolder({ a: '{}' }));
  expect(await store.sha256('m/1/a')).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  const before = await store.stamp('m/1/a');
  expect(await store.stamp('m/1/a')).toBe(before);
  await store.upload('m/2', builtFolder({ a: '{}' }));
  expect(await store.stamp('m/2/a')).not.toBe(before);
});

test('removeUntouched keeps files uploaded or touched since the given time', async () => {
  const store = folderStore(emptyFolder());
  const built = builtFolder({ a: 'a' });
  await store.upload('m/1', built);
  expect(await store.touch('m/2')).toBe(false);
  expect(await store.touch('m/1')).toBe(true);
  expect(await store.removeUntouched('m/1', Date.now() - HOUR_MS)).toBe(false);
  expect(await store.names('m')).toEqual(['1']);
  expect(await store.removeUntouched('m/1', Date.now() + HOUR_MS)).toBe(true);
  expect(await store.touch('m/1')).toBe(false);
  expect(await store.names('m')).toEqual([]);
  expect(await store.removeUntouched('m/1', Date.now() + HOUR_MS)).toBe(false);
  expect(await store.upload('m/1', built)).toBe(true);
});

test('of several processes, too, exactly one wins each name', async () => {
  const folder = emptyFolder();
  const program = `
    const { folderStore } = await import(${JSON.stringify(fileURLToPath(new URL('./folder-store.ts', import.meta.url)))});
    const store = folderStore(process.argv[1]);
    let won = 0;
    for (let n = 0; n < 50; n += 1) if (await store.create('a/' + n, String(process.pid))) won += 1;
    console.log(won);`;
  const writers = Array.from({ length: 3 }, async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    await once(child, 'close');
    return Number(printed);
  });
  const won = await Promise.all(writers);
  expect(won.reduce((sum, each) => sum + each, 0)).toBe(50);
  expect(await folderStore(folder).names('a')).toHaveLength(50);
});

test('a sweep removes drafts of a crash after a day, and no newer ones', async () => {
  const folder = emptyFolder();
  const drafts = path.join(folder, '.drafts');
  mkdirSync(path.join(drafts, 'upload'), { recursive: true });
  for (const file of ['upload/page.js', 'old', 'new']) writeFileSync(path.join(drafts, file), 'half');
  const yesterday = new Date(Date.now() - 25 * HOUR_MS);
  for (const file of ['upload', 'old']) utimesSync(path.join(drafts, file), yesterday, yesterday);
  await folderStore(folder).sweep(() => undefined);
  expect(readdirSync(drafts)).toEqual(['new']);
});

test('a journal is written outside all other folders, so the rest of the store may be read-only', async () => {
  const folder = emptyFolder();
  const store = folderStore(folder);
  await store.create('.lines/mfe_tasks/0000000001.json', '{}');
  expect(readdirSync(folder)).toEqual(['.lines']);
  expect(readdirSync(path.join(folder, '.lines')).sort()).toEqual(['.drafts', 'mfe_tasks']);
  expect(await store.names('.lines')).toEqual(['mfe_tasks']);
});

test('the gateway’s user can read a journal line whatever the writer’s umask', async () => {
  const folder = emptyFolder();
  const before = process.umask(0o077);
  try {
    await folderStore(folder).create('.lines/mfe_tasks/0000000001.json', '{}');
  } finally {
    process.umask(before);
  }
  expect(statSync(path.join(folder, '.lines/mfe_tasks/0000000001.json')).mode & 0o777).toBe(0o644);
});

test.each([0o400, 0o444, 0o600])(
  'a build with files of mode %o is published readable for the gateway’s user',
  async (mode) => {
    const [folder, built] = [emptyFolder(), builtFolder({ 'assets/a.js': 'a' })];
    chmodSync(path.join(built, 'assets/a.js'), mode);
    expect(await folderStore(folder).upload('m/1', built)).toBe(true);
    expect(statSync(path.join(folder, 'm/1/assets/a.js')).mode & 0o777).toBe(0o644);
  },
);

test('a writer without permission is rejected with the reason', async () => {
  // Nobody can make a folder there, not even root.
  const store = folderStore('/sys');
  const built = builtFolder({ a: 'a' });
  for (const act of [() => store.create('.lines/mfe_tasks/0000000001.json', '{}'), () => store.upload('m/1', built)]) {
    const refusal = await act().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refused);
    expect(String(refusal)).toMatch(
      /user \d+ may not write to \/sys, all of which has to belong to the user that CORD runs as: E[A-Z]+:/,
    );
  }
});

describe.skipIf(process.getuid?.() !== 0)('a publish by root into the store of another user', () => {
  const GATEWAY = 10_001;
  const built = builtFolder({ a: 'a' });

  /** Makes a store with journals of this user and group. */
  function storeOf(user: number, group: number) {
    const folder = emptyFolder();
    mkdirSync(path.join(folder, '.lines'));
    chownSync(path.join(folder, '.lines'), user, group);
    return folder;
  }

  test('is rejected, and leaves nothing that this user could not change', async () => {
    const folder = storeOf(GATEWAY, GATEWAY);
    await expect(folderStore(folder).upload('m/1', built)).rejects.toThrow(
      `user 0 may not publish to ${folder}: CORD runs there as user ${GATEWAY}, who could not take the files away again. Publish as that user`,
    );
    expect(readdirSync(folder)).toEqual(['.lines']);
  });

  test('succeeds when the folders are shared by a group', async () => {
    const folder = storeOf(GATEWAY, GATEWAY);
    chownSync(folder, 0, GATEWAY);
    chmodSync(folder, 0o2775);
    const before = process.umask(0o002);
    try {
      expect(await folderStore(folder).upload('m/1', built)).toBe(true);
    } finally {
      process.umask(before);
    }
  });

  test('succeeds when the journals are root’s', async () => {
    expect(await folderStore(storeOf(0, GATEWAY)).upload('m/1', built)).toBe(true);
  });
});
