import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderStore } from '@cord/deploy/store/folder-store';
import { registryReader } from '@cord/deploy/store/registry';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { beforeEach, expect, test } from 'vitest';
import { publishCheckout } from '../starter/modules.ts';
import { moduleStoreOf } from '../starter/paths.mjs';
import { StartError } from '../starter/problems.mjs';

const { rollBack, setFrozen } = await import('@cord/deploy/store/releases');
const ANN = { who: 'ann', by: 'person' } as const;

let folder: string;
let moduleStore: string;
let lines: string[];
beforeEach(async () => {
  folder = stopAfterTest(await scratch()).folder;
  moduleStore = join(folder, 'modules');
  lines = [];
});

/** Starts with these builds in the checkout. @returns the report of the start */
async function start(versions: Record<string, string>, { local = true, except = [] as string[] } = {}) {
  const built = [];
  for (const [name, version] of Object.entries(versions)) {
    const dist = join(folder, name, version);
    await mkdir(dist, { recursive: true });
    await writeFile(join(dist, 'mf-manifest.json'), '{"exposes":[]}');
    built.push({ name, version, sdk: '^1.0.0', ui: '^1.0.0', folder: dist });
  }
  return publishCheckout({ local, moduleStore }, (line: string) => void lines.push(line), except, built);
}

async function shown(): Promise<Record<string, string>> {
  const { modules } = await registryReader(folderStore(moduleStore))();
  return Object.fromEntries(Object.entries(modules).map(([name, { version }]) => [name, version]));
}

test('a start in local mode publishes the newer builds of the checkout', async () => {
  expect(await start({ mfe_tasks: '1-a', mfe_mining: '1-m' })).toBe('2 published');
  expect(await start({ mfe_tasks: '1-a', mfe_mining: '1-m' })).toBe('unchanged');
  expect(await start({ mfe_tasks: '1-b', mfe_mining: '1-m' })).toBe('1 published');
  expect(await shown()).toEqual({ mfe_tasks: '1-b', mfe_mining: '1-m' });
  expect(lines).toEqual([]);
});

test('a start without any build fails and publishes nothing', async () => {
  for (const local of [true, false])
    await expect(start({}, { local })).rejects.toThrow(/the shell and the modules are not built/);
});

test('a start keeps a person’s rollback or freeze, and reports it', async () => {
  await start({ mfe_tasks: '1-a', mfe_mining: '1-m' });
  await start({ mfe_tasks: '1-b', mfe_mining: '1-m' });
  const store = folderStore(moduleStore);
  await rollBack(store, 'mfe_tasks', undefined, ANN);
  await setFrozen(store, 'mfe_mining', true, ANN);
  expect(await start({ mfe_tasks: '1-c', mfe_mining: '1-n' })).toBe('unchanged');
  expect(await shown()).toEqual({ mfe_tasks: '1-a', mfe_mining: '1-m' });
  expect(lines).toEqual([
    expect.stringMatching(
      /^mfe_tasks stays at 1-a \(rollback by ann, .*\); this checkout has 1-c: npx cord module publish mfe_tasks$/,
    ),
    expect.stringMatching(/^mfe_mining stays at 1-m \(freeze by ann/),
  ]);
});

test('a start in production publishes only modules that were never published', async () => {
  await start({ mfe_tasks: '1-a' }, { local: false });
  expect(await start({ mfe_tasks: '1-b', mfe_mining: '1-m' }, { local: false })).toBe('1 published');
  expect(await shown()).toEqual({ mfe_tasks: '1-a', mfe_mining: '1-m' });
  expect(lines).toEqual([expect.stringContaining('mfe_tasks stays at 1-a')]);
});

test('a start restores removed files, and leaves out the module under development', async () => {
  await start({ mfe_tasks: '1-a' });
  const store = folderStore(moduleStore);
  await store.removeUntouched('mfe_tasks/1-a', Number.POSITIVE_INFINITY);
  expect(await start({ mfe_tasks: '1-a', mfe_mining: '1-m' }, { except: ['mfe_mining'] })).toBe('unchanged');
  expect(await store.names('mfe_tasks/1-a')).toEqual(['mf-manifest.json']);
  expect(await shown()).toEqual({ mfe_tasks: '1-a' });
});

test('a start publishes the shell like the modules', async () => {
  expect(await start({ shell: '1-s', mfe_tasks: '1-a' })).toBe('2 published');
  expect(await start({ shell: '1-t', mfe_tasks: '1-a' }, { local: false })).toBe('unchanged');
  expect(await start({ shell: '1-t', mfe_tasks: '1-a' }, { except: ['shell'] })).toBe('unchanged');
  const shell = async () => (await registryReader(folderStore(moduleStore))()).shell;
  expect(await shell()).toMatchObject({ version: '1-s', sdk: '^1.0.0' });
  expect(await start({ shell: '1-t', mfe_tasks: '1-a' })).toBe('1 published');
  expect(await shell()).toMatchObject({ version: '1-t', from: '1-s' });
  expect(await shown()).toEqual({ mfe_tasks: '1-a' });
});

test('the module store is MODULE_STORE, or else a folder of the data', () => {
  expect(moduleStoreOf?.({}, '/data')).toBe('/data/modules');
  expect(moduleStoreOf?.({ MODULE_STORE: '/elsewhere' }, '/data')).toBe('/elsewhere');
});

test.skipIf(process.getuid?.() !== 0)(
  'a start by another user than the store’s owner fails with the reason',
  async () => {
    const journals = join(moduleStore, '.lines');
    await mkdir(journals, { recursive: true });
    await chown(journals, 10_001, 10_001);
    const refusal = await start({ mfe_a: '1.0.0-a' }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect(String(refusal)).toContain('Publish as that user');
  },
);
