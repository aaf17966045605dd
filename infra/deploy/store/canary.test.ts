import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { builtFolder } from '../test/built-folder.js';
import { byOperator, journals, type Requested } from './by-operator.js';
import { endCanary, knownFacts, promote, startCanary } from './canary.js';
import { folderStore } from './folder-store.js';
import { KEPT_MS, prune } from './prune.js';
import { registryReader } from './registry.js';
import { readPointer } from './release-line.js';
import { rollBack, setFrozen, switchTo, uploadVersion } from './releases.js';

const NAME = 'mfe_tasks';
const ANN = { who: 'ann', by: 'person', why: 'because' } as const;

/** For a prune that can delete everything due. */
const report = (line: string) => expect.unreachable(line);
let folder: string;
let store: ReturnType<typeof folderStore>;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'cord-canary-'));
  store = folderStore(folder);
  for (const letter of ['a', 'b']) await switchTo(store, NAME, await upload(`1.0.0-${letter}`), ANN);
});

function upload(version: string, sdk = '^1.0.0') {
  const built = builtFolder({ 'mf-manifest.json': '{"exposes":[{"name":"page"}]}' });
  return uploadVersion(store, { name: NAME, version, sdk, ui: '^1.0.0', folder: built });
}
/** Uploads a version with its own range and makes it the canary. */
const canaryOf = async (version: string, share = 0.1) =>
  startCanary(store, NAME, await upload(version, '^1.5.0'), share, ANN);
const pointer = async () => (await readPointer(store, NAME)) as NonNullable<Awaited<ReturnType<typeof readPointer>>>;
const entry = async () => (await registryReader(store)()).modules[NAME];

test('a canary runs beside the version in use, with its own facts, until it is promoted', async () => {
  await canaryOf('1.0.0-c');
  expect(await pointer()).toMatchObject({
    action: 'canary',
    version: '1.0.0-b',
    sdk: '^1.0.0',
    from: '1.0.0-b',
    ...ANN,
  });
  const release = (letter: string, sdk: string) => {
    const version = `1.0.0-${letter}`;
    return { version, entry: `/modules/${NAME}/${version}/mf-manifest.json`, sdk, ui: '^1.0.0' };
  };
  expect(await entry()).toMatchObject({
    ...release('b', '^1.0.0'),
    canary: { ...release('c', '^1.5.0'), share: 0.1 },
  });
  await promote(store, NAME, ANN);
  expect(await entry()).toMatchObject(release('c', '^1.5.0'));
  expect(await entry()).not.toHaveProperty('canary');
  expect(await pointer()).toMatchObject({ action: 'promote', from: '1.0.0-b', exposes: ['page'] });
  await rollBack(store, NAME, undefined, ANN);
  expect(await pointer()).toMatchObject({ version: '1.0.0-b', sdk: '^1.0.0' });
});

test.each([
  ['a publish', async () => switchTo(store, NAME, await upload('1.0.0-d'), ANN), '1.0.0-d'],
  ['a publish of what is in use', async () => switchTo(store, NAME, await upload('1.0.0-b'), ANN), '1.0.0-b'],
  ['a rollback', () => rollBack(store, NAME, undefined, ANN), '1.0.0-a'],
  ['a choice of its own', () => endCanary(store, NAME, ANN), '1.0.0-b'],
  ['another canary', () => canaryOf('1.0.0-e', 1), '1.0.0-b'],
])('%s ends a canary', async (_what, end, version) => {
  await canaryOf('1.0.0-c');
  await end();
  const now = await entry();
  expect([now?.version, now?.canary?.version === '1.0.0-c']).toEqual([version, false]);
});

test('a frozen module keeps its canary and accepts no other', async () => {
  await canaryOf('1.0.0-c');
  await setFrozen(store, NAME, true, ANN);
  expect((await entry())?.canary).toMatchObject({ version: '1.0.0-c', share: 0.1 });
  await expect(promote(store, NAME, ANN)).rejects.toThrow('frozen');
  await expect(canaryOf('1.0.0-d')).rejects.toThrow('frozen');
  expect((await endCanary(store, NAME, ANN))?.frozen).toBe(true);
});

test('an invalid canary is rejected by name', async () => {
  for (const share of [0, 1.1, Number.NaN]) await expect(canaryOf('1.0.0-c', share)).rejects.toThrow('a share is');
  await expect(canaryOf('1.0.0-b')).rejects.toThrow('mfe_tasks is at 1.0.0-b already');
  await expect(promote(store, NAME, ANN)).rejects.toThrow('mfe_tasks has no canary');
  await expect(endCanary(store, NAME, ANN)).rejects.toThrow('mfe_tasks has no canary');
  const facts = await knownFacts(store, NAME, '1.0.0-a');
  await expect(startCanary(store, 'mfe_new', facts, 0.1, ANN)).rejects.toThrow('mfe_new was never published');
  await expect(knownFacts(store, NAME, '1.0.0-x')).rejects.toThrow('has no 1.0.0-x');
  await store.removeUntouched(`${NAME}/1.0.0-a`, Date.now() + KEPT_MS);
  await expect(knownFacts(store, NAME, '1.0.0-a')).rejects.toThrow('the files of mfe_tasks 1.0.0-a are gone');
});

test('a former canary can become one again, with its recorded facts', async () => {
  await canaryOf('1.0.0-c');
  await endCanary(store, NAME, ANN);
  await startCanary(store, NAME, await knownFacts(store, NAME, '1.0.0-c'), 0.5, ANN);
  expect((await pointer()).canary).toMatchObject({ version: '1.0.0-c', sdk: '^1.5.0', share: 0.5 });
});

test('the files of a canary stay while it is named, and for seven days after', async () => {
  await canaryOf('1.0.0-c');
  for (const frozen of [true, false, true, false]) await setFrozen(store, NAME, frozen, ANN);
  const muchLaterMs = Date.now() + 10 * KEPT_MS;
  const left = () => readdirSync(path.join(folder, NAME)).map((name) => name.at(-1));
  expect(await prune(store, report, muchLaterMs)).toEqual([`${NAME}/1.0.0-a`]);
  await endCanary(store, NAME, ANN);
  for (const frozen of [true, false, true]) await setFrozen(store, NAME, frozen, ANN);
  expect(await prune(store, report, Date.now() + KEPT_MS - 60_000)).toEqual([]);
  expect(left()).toEqual(['b', 'c']);
  expect(await prune(store, report, muchLaterMs)).toEqual([`${NAME}/1.0.0-c`]);
});

test('of several concurrent rollbacks of the same line, one is written', async () => {
  const { seq } = await pointer();
  const written = await Promise.all([1, 2, 3].map(() => rollBack(store, NAME, '1.0.0-a', ANN, { seq })));
  expect(written.filter(Boolean)).toHaveLength(1);
  expect(await pointer()).toMatchObject({ seq: seq + 1, action: 'rollback', version: '1.0.0-a', from: '1.0.0-b' });
});

test.each<Pick<Requested, 'act' | 'version' | 'share'> & { leads: object; ends?: boolean }>([
  { act: 'freeze', leads: { frozen: true, version: '1.0.0-b', canary: { version: '1.0.0-c' } } },
  { act: 'end-canary', leads: { version: '1.0.0-b' }, ends: true },
  { act: 'promote', leads: { version: '1.0.0-c' }, ends: true },
  { act: 'rollback', version: '1.0.0-a', leads: { version: '1.0.0-a' }, ends: true },
  { act: 'canary', version: '1.0.0-a', share: 0.5, leads: { canary: { version: '1.0.0-a', share: 0.5 } } },
])(
  'an operator’s $act is done only if the journal is unchanged since the operator’s view',
  async ({ leads, ends = false, ...request }) => {
    await canaryOf('1.0.0-c');
    const { seq } = await pointer();
    const does = (seen: number, who = 'olek') =>
      byOperator(store, { name: NAME, seq: seen, ...request }, { who, why: 'because' });
    expect(await does(seq - 1)).toBeNull();
    expect((await pointer()).seq).toBe(seq);
    expect(await does(seq)).toMatchObject({ seq: seq + 1, who: 'olek', by: 'person', ...leads });
    expect((await pointer()).canary == null).toBe(ends);
    // A retry after a lost response is done once; another operator's same act is not done.
    expect(await does(seq)).toMatchObject({ seq: seq + 1 });
    expect(await does(seq, 'ines')).toBeNull();
    const [journal] = await journals(store, 2);
    expect(journal).toMatchObject({ name: NAME, more: true, lines: [{ seq: seq + 1 }, { seq }] });
  },
);
