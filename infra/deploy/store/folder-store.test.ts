import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { folderStore } from './folder-store.js';
import { builtFolder, keepsToTheContract } from './module-store-contract.js';
import { Refused } from './refused.js';

const emptyFolder = () => mkdtempSync(path.join(tmpdir(), 'cord-modules-'));

keepsToTheContract(async () => {
  const folder = emptyFolder();
  return () => folderStore(folder);
});

test('of several processes, too, one wins each name', async () => {
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

test('what a crash left half written is taken away a day later, and nothing sooner', async () => {
  const folder = emptyFolder();
  const drafts = path.join(folder, '.drafts');
  mkdirSync(path.join(drafts, 'upload'), { recursive: true });
  for (const file of ['upload/page.js', 'old', 'new']) writeFileSync(path.join(drafts, file), 'half');
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  for (const file of ['upload', 'old']) utimesSync(path.join(drafts, file), yesterday, yesterday);
  await folderStore(folder).sweep(() => undefined);
  expect(readdirSync(drafts)).toEqual(['new']);
});

test('a journal is written with nothing else: the rest of the store may be mounted read-only', async () => {
  const folder = emptyFolder();
  const store = folderStore(folder);
  await store.create('.lines/mfe_tasks/0000000001.json', '{}');
  expect(readdirSync(folder)).toEqual(['.lines']);
  expect(readdirSync(path.join(folder, '.lines')).sort()).toEqual(['.drafts', 'mfe_tasks']);
  expect(await store.names('.lines')).toEqual(['mfe_tasks']);
});

test('a line can be read by the user of the gateways, also where whoever writes it lets nobody read its files', async () => {
  const folder = emptyFolder();
  const before = process.umask(0o077);
  try {
    await folderStore(folder).create('.lines/mfe_tasks/0000000001.json', '{}');
  } finally {
    process.umask(before);
  }
  expect(statSync(path.join(folder, '.lines/mfe_tasks/0000000001.json')).mode & 0o777).toBe(0o644);
});

test('whoever may not write is refused, with the reason', async () => {
  // Nobody makes a folder there, not even root.
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

  /** A store whose journals are of a user and of a group. */
  function storeOf(user: number, group: number) {
    const folder = emptyFolder();
    mkdirSync(path.join(folder, '.lines'));
    chownSync(path.join(folder, '.lines'), user, group);
    return folder;
  }

  test('is refused, and leaves nothing that this user could not change', async () => {
    const folder = storeOf(GATEWAY, GATEWAY);
    await expect(folderStore(folder).upload('m/1', built)).rejects.toThrow(
      `user 0 may not publish to ${folder}: CORD runs there as user ${GATEWAY}, who could not take the files away again. Publish as that user`,
    );
    expect(readdirSync(folder)).toEqual(['.lines']);
  });

  test('goes through where the folders are shared by a group', async () => {
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

  test('goes through where the journals are root’s', async () => {
    expect(await folderStore(storeOf(0, GATEWAY)).upload('m/1', built)).toBe(true);
  });
});
