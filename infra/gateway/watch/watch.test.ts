import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderStore } from '@cord/deploy/store/folder-store.mjs';
import { type Registry, registryReader } from '@cord/deploy/store/registry.mjs';
import { beforeEach, expect, test } from 'vitest';
import { WATCH_BOUNDS, type WatchBounds } from './judge.js';
import { createWatch, type Watch } from './watch.js';

const NAME = 'mfe_tasks';
const SMALLEST: WatchBounds = {
  ...WATCH_BOUNDS,
  canary: { visits: 2, failed: 1 },
  first: { ms: 60_000, visits: 2, failed: 1 },
  perAddress: 1,
};
const MINUTE_MS = 60_000;

let store: ReturnType<typeof folderStore>;
let read: () => Promise<Registry>;
let nowMs: number;
let seq: number;
beforeEach(() => {
  store = folderStore(mkdtempSync(join(tmpdir(), 'cord-watch-')));
  read = registryReader(store);
  nowMs = Date.UTC(2026, 10, 22);
  seq = 0;
});

/** Writes the next line of the journal, as of now. */
async function says(action: string, version: string, more: object = {}) {
  seq += 1;
  const facts = { sdk: '^1.0.0', ui: '^1.0.0', parts: [], exposes: [], size: 0, files: {} };
  const line = { action, version, from: null, frozen: false, who: 'ann', by: 'person', ...facts, ...more };
  const text = JSON.stringify({ seq, when: new Date(nowMs).toISOString(), ...line });
  await store.create(`.lines/${NAME}/${String(seq).padStart(10, '0')}.json`, text);
  await store.create(`${NAME}/${version}/mf-manifest.json`, '{}');
}

const watchOf = (bounds = SMALLEST) =>
  createWatch(store, { warn: () => undefined, error: () => undefined }, bounds, () => nowMs);
const visit = (version: string, failed = 0) => ({ module: NAME, version, n: 1, failed });
const look = async (...watches: Watch[]) => {
  const { lines } = await read();
  await Promise.all(watches.map((watch) => watch.look(lines)));
  const line = (await read()).lines[NAME];
  return [line?.seq, line?.action, line?.version];
};

/** The second version is in use since this moment, after visits of the first. */
async function switched(watch: Watch, before: number[] = []) {
  await says('publish', '1-a');
  await look(watch);
  watch.count(before.map((failed) => visit('1-a', failed)));
  await says('publish', '1-b', { from: '1-a' });
  await look(watch);
}

test('a new version that fails in its first minute is taken back, and the journal says by whom and why', async () => {
  const watch = watchOf();
  await switched(watch, [0, 0, 0]);
  watch.count([visit('1-b', 1)]);
  expect(await look(watch)).toEqual([2, 'publish', '1-b']);
  watch.count([visit('1-b')]);
  expect(await look(watch)).toEqual([3, 'rollback', '1-a']);
  expect((await read()).lines[NAME]).toMatchObject({
    ...{ who: 'the system', by: 'system', from: '1-b' },
    why: 'its first minute: 1 of 2 visits with an error, 0 of 3 visits of 1-a',
  });
});

test('it stays where it fails less than twice as often as the one before', async () => {
  const watch = watchOf();
  await switched(watch, [1, 0, 1]);
  watch.count([visit('1-b', 1), visit('1-b', 1), visit('1-b', 1)]);
  expect(await look(watch)).toEqual([2, 'publish', '1-b']);
});

test.each([
  ['one visit too few', 7, 7],
  ['one with an error too few', 20, 4],
])('by the bounds of the house it stays with %s, and goes with one more', async (_what, visits, failed) => {
  const watch = watchOf(WATCH_BOUNDS);
  await switched(watch);
  watch.count([{ module: NAME, version: '1-b', n: visits, failed }]);
  expect(await look(watch)).toEqual([2, 'publish', '1-b']);
  watch.count([visit('1-b', 1)]);
  expect(await look(watch)).toEqual([3, 'rollback', '1-a']);
});

test('after its first minute, as the first version of all, and after a rollback it is not judged', async () => {
  const watch = watchOf();
  await says('publish', '1-a');
  await look(watch);
  watch.count([visit('1-a', 1), visit('1-a', 1)]);
  expect(await look(watch)).toEqual([1, 'publish', '1-a']);
  await says('publish', '1-b', { from: '1-a' });
  nowMs += MINUTE_MS;
  await look(watch);
  watch.count([visit('1-b', 1), visit('1-b', 1)]);
  expect(await look(watch)).toEqual([2, 'publish', '1-b']);
  nowMs += 2 * WATCH_BOUNDS.windowMs;
  await says('rollback', '1-a', { from: '1-b' });
  await look(watch);
  watch.count([visit('1-a', 1), visit('1-a', 1)]);
  expect(await look(watch)).toEqual([3, 'rollback', '1-a']);
});

test('a canary ends when twice as many of its visits of the last ten minutes fail, and no sooner', async () => {
  const watch = watchOf(WATCH_BOUNDS);
  await says('publish', '1-a');
  await look(watch);
  watch.count([visit('1-c', 1)]);
  await says('canary', '1-a', { canary: { version: '1-c', sdk: '^1.0.0', share: 0.1 } });
  await look(watch);
  const of = (version: string, n: number, failed: number) => watch.count([{ module: NAME, version, n, failed }]);
  // One of eight fails of what is in use, and of the canary one of four.
  of('1-a', 80, 10);
  of('1-c', 16, 4);
  expect(await look(watch)).toEqual([2, 'canary', '1-a']);
  nowMs += WATCH_BOUNDS.windowMs + 1_000;
  of('1-a', 80, 10);
  of('1-c', 19, 5);
  expect(await look(watch)).toEqual([2, 'canary', '1-a']);
  of('1-c', 2, 0);
  expect(await look(watch)).toEqual([2, 'canary', '1-a']);
  of('1-c', 1, 1);
  expect(await look(watch)).toEqual([3, 'end-canary', '1-a']);
  expect((await read()).lines[NAME]?.canary).toBeUndefined();
});

test('several that look at once write one line, and one that finds it written leaves it', async () => {
  const watches = [watchOf(), watchOf(), watchOf()];
  await switched(watches[0] as Watch);
  await look(...watches);
  for (const watch of watches) watch.count([visit('1-b', 1), visit('1-b', 1)]);
  expect(await look(...watches)).toEqual([3, 'rollback', '1-a']);
  expect(await look(...watches)).toEqual([3, 'rollback', '1-a']);
});

test('figures name what is published; what is not is other, of its module where there is one', async () => {
  const watch = watchOf();
  await switched(watch);
  const named = [watch.labelsOf(NAME, '1-b'), watch.labelsOf(NAME, '1-a')];
  expect(named.map(({ version }) => version)).toEqual(['1-b', '1-a']);
  expect(watch.labelsOf(NAME, '1-x')).toEqual({ module: NAME, version: 'other' });
  for (const invented of ['mfe_x', '__proto__', 'constructor'])
    expect(watch.labelsOf(invented, '1-b')).toEqual({ module: 'other', version: 'other' });
});

test('versions that no line names are not counted, and nobody counts for more than his share', async () => {
  const watch = watchOf({ ...SMALLEST, perAddress: 2 });
  await switched(watch);
  const may = (address: string, version = '1-b') => watch.mayCount(address, NAME, version);
  expect([may('192.0.2.1'), may('192.0.2.1'), may('192.0.2.1'), may('192.0.2.2')]).toEqual([true, true, false, true]);
  expect([may('192.0.2.1', '1-a'), may('192.0.2.1', '1-x'), watch.mayCount('192.0.2.1', 'mfe_x', '1-b')]).toEqual([
    true,
    false,
    false,
  ]);
  nowMs += WATCH_BOUNDS.windowMs;
  expect(may('192.0.2.1')).toBe(true);
});
