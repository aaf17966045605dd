import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { builtFolder } from '../test/built-folder.js';
import { knownFacts, promote, startCanary } from './canary.js';
import { folderStore } from './folder-store.js';
import { KEPT_MS, prune } from './prune.js';
import { registryReader } from './registry.js';
import { addLine, readJournal, readPointer } from './release-line.js';
import { describeAuthor, rollBack, setFrozen, switchTo, uploadVersion } from './releases.js';

const ANN = { who: 'ann', by: 'person', why: 'because' } as const;
const START = { who: 'npm start', by: 'start' } as const;

/** Reports of a prune. */
let reported: string[];
const report = (line: string) => void reported.push(line);
let folder: string;
let store: ReturnType<typeof folderStore>;
beforeEach(() => {
  reported = [];
  folder = mkdtempSync(path.join(tmpdir(), 'cord-modules-'));
  store = folderStore(folder);
});

interface Release {
  name: string;
  author: typeof ANN;
  sdk: string;
  rule: object;
  /** Tab and parts. */
  brings: object;
}

/** Uploads a build and switches to it. */
async function release(
  version: string,
  { name = 'mfe_tasks', author = ANN, sdk = '^1.0.0', rule = {}, brings = {} }: Partial<Release> = {},
) {
  const page = { name: 'page', assets: { js: { sync: ['page.js'] } } };
  const built = builtFolder({
    'mf-manifest.json': JSON.stringify({ exposes: [page], cord: brings }),
    'page.js': `page of ${version}`,
  });
  const facts = await uploadVersion(store, { name, version, sdk, ui: '^1.0.0', folder: built });
  return switchTo(store, name, facts, author, rule);
}
const current = async (name = 'mfe_tasks') => (await readPointer(store, name))?.version;
const back = (version?: string) => rollBack(store, 'mfe_tasks', version, ANN);

test('a journal line records version, size, author, action, time, reason and predecessor', async () => {
  await release('1.0.0-a');
  await release('1.0.0-b');
  const line = await readPointer(store, 'mfe_tasks');
  expect(line).toEqual({
    ...{ seq: 2, action: 'publish', version: '1.0.0-b', from: '1.0.0-a', frozen: false },
    ...{ sdk: '^1.0.0', ui: '^1.0.0', exposes: ['page'], parts: [], ...ANN },
    size: expect.any(Number),
    when: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    files: { 'mf-manifest.json': expect.stringMatching(/^[0-9a-f]{64}$/), 'page.js': expect.any(String) },
  });
  expect(line?.size).toBeGreaterThan(20);
  expect(await release('1.0.0-b')).toBeNull();
});

const tabOf = (id: string) => ({ id, words: { en: id }, icon: 'list', order: 60, for: 'signed-in' });

test('the registry has the tab and parts of each version, also after a rollback', async () => {
  const part = { name: 'card', words: { en: 'Card' }, room: 'card', place: 'dashboard.main', order: 1 };
  const brought = async () => (await registryReader(store)()).modules.mfe_room;
  await release('1.0.0-a', { name: 'mfe_room', brings: { tab: tabOf('room'), parts: [part] } });
  expect(await brought()).toMatchObject({ tab: tabOf('room'), parts: [part] });
  await release('1.0.0-b', { name: 'mfe_room', brings: { parts: [] } });
  expect(await brought()).toMatchObject({ version: '1.0.0-b', parts: [] });
  expect(await brought()).not.toHaveProperty('tab');
  await rollBack(store, 'mfe_room', undefined, ANN);
  expect(await brought()).toMatchObject({ tab: tabOf('room'), parts: [part] });
});

test('twenty modules published at once all appear, and twenty versions of one are recorded in sequence', async () => {
  const many = Array.from({ length: 20 }, (_, n) => n);
  const letter = (n: number) => String.fromCharCode(97 + n);
  await Promise.all(many.map((n) => release(`1.0.0-${n}`, { name: `mfe_${letter(n)}` })));
  const { modules, version } = await registryReader(store)();
  expect([Object.keys(modules).length, version]).toEqual([20, '20']);
  await Promise.all(many.map((n) => release(`1.0.0-${n}`)));
  const journal = await readJournal(store, 'mfe_tasks');
  expect(journal.map(({ seq }) => seq)).toEqual(many.map((n) => n + 1));
  expect(new Set(journal.map(({ version }) => version)).size).toBe(20);
  expect(journal.map(({ from }) => from)).toEqual([null, ...journal.slice(0, -1).map(({ version }) => version)]);
  const times = journal.map(({ when }) => when);
  expect(times).toEqual([...new Set(times)].sort());
});

test('each rollback goes one version further back, with its own facts, and a publish starts from there', async () => {
  for (const [n, letter] of ['a', 'b', 'c'].entries()) await release(`1.0.0-${letter}`, { sdk: `^1.${n}.0` });
  await back();
  expect(await readPointer(store, 'mfe_tasks')).toMatchObject({ version: '1.0.0-b', sdk: '^1.1.0', from: '1.0.0-c' });
  await back();
  expect(await readPointer(store, 'mfe_tasks')).toMatchObject({
    version: '1.0.0-a',
    sdk: '^1.0.0',
    action: 'rollback',
  });
  await expect(back()).rejects.toThrow('no version before 1.0.0-a');
  await release('1.0.0-d');
  await back();
  expect(await current()).toBe('1.0.0-a');
  await back('1.0.0-c');
  expect(await readPointer(store, 'mfe_tasks')).toMatchObject({ version: '1.0.0-c', sdk: '^1.2.0' });
  await back();
  expect(await current()).toBe('1.0.0-a');
});

test('a rollback is rejected to a version never in use, already in use, or with missing files', async () => {
  await expect(back()).rejects.toThrow('never published');
  await release('1.0.0-a');
  await expect(back('1.0.0-x')).rejects.toThrow('was never at 1.0.0-x');
  await expect(back('1.0.0-a')).rejects.toThrow('is at 1.0.0-a already');
  await release('1.0.0-b');
  await store.removeUntouched('mfe_tasks/1.0.0-a', Date.now() + KEPT_MS);
  await expect(back()).rejects.toThrow('the files of mfe_tasks 1.0.0-a are gone');
  expect(await current()).toBe('1.0.0-b');
});

test('a frozen module rejects a publish, allows a rollback, and stays frozen until unfrozen', async () => {
  await release('1.0.0-a');
  await release('1.0.0-b');
  await setFrozen(store, 'mfe_tasks', true, ANN);
  await expect(release('1.0.0-c')).rejects.toThrow(/mfe_tasks is frozen: freeze by ann, .*"because"/);
  await back();
  await expect(release('1.0.0-c')).rejects.toThrow('frozen');
  await expect(setFrozen(store, 'mfe_tasks', true, ANN)).rejects.toThrow('is frozen');
  await setFrozen(store, 'mfe_tasks', false, ANN);
  await release('1.0.0-c');
  expect(await current()).toBe('1.0.0-c');
});

test('a start does not override a person’s choice', async () => {
  await release('1.0.0-a', { author: START as never });
  const rule = { unlessPerson: true };
  expect(await release('1.0.0-b', { author: START as never, rule })).toMatchObject({ version: '1.0.0-b' });
  await back();
  expect(await release('1.0.0-c', { author: START as never, rule })).toBeNull();
  expect(await current()).toBe('1.0.0-a');
});

test('files stay for seven days after their last use, and while one of the last three lines names them', async () => {
  const nowMs = Date.now();
  for (const letter of ['a', 'b', 'c', 'd', 'e']) await release(`1.0.0-${letter}`);
  const versions = () => readdirSync(path.join(folder, 'mfe_tasks')).map((name) => name.at(-1));
  expect(await prune(store, report, nowMs + KEPT_MS - 60_000)).toEqual([]);
  expect(await prune(store, report, nowMs + KEPT_MS + 60_000)).toEqual(['mfe_tasks/1.0.0-a']);
  expect(versions()).toEqual(['b', 'c', 'd', 'e']);
  for (const letter of ['b', 'e']) await back(`1.0.0-${letter}`);
  expect(await prune(store, report, nowMs + 10 * KEPT_MS)).toEqual(['mfe_tasks/1.0.0-c']);
  expect(versions()).toEqual(['b', 'd', 'e']);
});

test('an upload that is never used is removed after seven days', async () => {
  await release('1.0.0-a');
  await uploadVersion(store, {
    name: 'mfe_tasks',
    version: '1.0.0-x',
    sdk: '^1.0.0',
    ui: '^1.0.0',
    folder: builtFolder({ a: 'a' }),
  });
  expect(await prune(store, report)).toEqual([]);
  expect(await prune(store, report, Date.now() + KEPT_MS + 60_000)).toEqual(['mfe_tasks/1.0.0-x']);
});

test('files that cannot be removed stay and are reported, without an error', async () => {
  for (const letter of ['a', 'b', 'c', 'd', 'e', 'f']) await release(`1.0.0-${letter}`);
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  const foreign: typeof store = {
    ...store,
    removeUntouched: async (place, beforeMs) => {
      if (place.endsWith('-a')) throw denied;
      return store.removeUntouched(place, beforeMs);
    },
    sweep: () => Promise.reject(denied),
  };
  expect(await prune(foreign, report, Date.now() + KEPT_MS + 60_000)).toEqual(['mfe_tasks/1.0.0-b']);
  expect(reported).toEqual([
    `could not remove interrupted uploads in ${folder}: EACCES: permission denied`,
    `could not remove mfe_tasks/1.0.0-a in ${folder}: EACCES: permission denied`,
  ]);
  const unread: typeof store = {
    ...store,
    names: (prefix) => (prefix === '.lines' ? store.names(prefix) : Promise.reject(denied)),
  };
  expect(await prune(unread, report)).toEqual([]);
  expect(reported.at(-1)).toBe(`could not remove mfe_tasks in ${folder}: EACCES: permission denied`);
});

test('an unreadable line breaks only its own module, until the next publish', async () => {
  await release('1.0.0-a');
  await release('1.0.0-m', { name: 'mfe_mining' });
  await store.create('.lines/mfe_tasks/0000000002.json', '{"version":');
  await store.create('.lines/mfe_wallet/0000000001.json', '{"version":"1.0.0-w"}');
  mkdirSync(path.join(folder, '.lines/mfe_folder/0000000001.json'), { recursive: true });
  writeFileSync(path.join(folder, '.lines/notes'), '');
  const read = registryReader(store);
  const broken = await read();
  expect(Object.keys(broken.modules)).toEqual(['mfe_mining']);
  expect(broken.problems).toEqual([
    expect.stringContaining('EISDIR'),
    expect.stringContaining('.lines/mfe_tasks/0000000002.json'),
    expect.stringContaining('lacks action'),
    expect.stringContaining('.lines/notes'),
  ]);
  expect(broken.version).toBe('5');
  await release('1.0.0-a');
  expect((await read()).modules.mfe_tasks).toMatchObject({
    ...{ version: '1.0.0-a', entry: '/modules/mfe_tasks/1.0.0-a/mf-manifest.json', sdk: '^1.0.0', ui: '^1.0.0' },
  });
  expect((await readJournal(store, 'mfe_tasks')).map(({ seq }) => seq)).toEqual([1, 3]);
});

test('an invalid module name has no journal', async () => {
  for (const name of ['../etc', 'Mfe', '.lines', ''])
    await expect(addLine(store, name, () => null)).rejects.toThrow('no name');
});

test('the shell has a journal of its own with its versions and size, and no canaries', async () => {
  const folder = builtFolder({
    'index.html': '<script src="/assets/a.js"></script>',
    'assets/a.js': 'code',
    '.build.json': '{}',
  });
  const facts = await uploadVersion(store, { name: 'shell', version: '1.0.0-s', sdk: '2.0.0', ui: '2.0.0', folder });
  await switchTo(store, 'shell', facts, ANN);
  const { modules, shell, lines } = await registryReader(store)();
  expect([modules, Object.keys(lines)]).toEqual([{}, ['shell']]);
  expect(shell).toMatchObject({ version: '1.0.0-s', sdk: '2.0.0', ui: '2.0.0', exposes: [], size: expect.any(Number) });
  expect((shell as unknown as { size: number }).size).toBeGreaterThan(10);
  await expect(startCanary(store, 'shell', facts, 0.1, ANN)).rejects.toThrow('the shell has no canaries');
});

test('a version with altered files can be neither republished, rolled back to, made a canary nor promoted', async () => {
  await release('1.0.0-a');
  await release('1.0.0-b');
  const { files } = (await readPointer(store, 'mfe_tasks')) as { files: Record<string, string> };
  const ofA = path.join(folder, 'mfe_tasks/1.0.0-a/page.js');
  const before = readFileSync(ofA, 'utf8');
  writeFileSync(ofA, 'another page');
  const why = 'mfe_tasks/1.0.0-a/page.js';
  await expect(back()).rejects.toThrow(why);
  await expect(knownFacts(store, 'mfe_tasks', '1.0.0-a')).rejects.toThrow(why);
  await expect(release('1.0.0-a')).rejects.toThrow(why);
  expect(await current()).toBe('1.0.0-b');
  writeFileSync(ofA, before);
  await startCanary(store, 'mfe_tasks', await knownFacts(store, 'mfe_tasks', '1.0.0-a'), 0.1, ANN);
  writeFileSync(path.join(folder, 'mfe_tasks/1.0.0-a/more.js'), 'one more');
  await expect(promote(store, 'mfe_tasks', ANN)).rejects.toThrow('mfe_tasks/1.0.0-a/more.js');
  rmSync(path.join(folder, 'mfe_tasks/1.0.0-a/more.js'));
  await promote(store, 'mfe_tasks', ANN);
  expect(await current()).toBe('1.0.0-a');
  expect(Object.keys(files)).toEqual(['mf-manifest.json', 'page.js']);
});

test('a temporary file system error keeps the registry as it was read last', async () => {
  await release('1.0.0-a');
  let fails = '';
  const failing = async () => {
    throw new Error('EMFILE: too many open files');
  };
  const flaky: typeof store = {
    ...store,
    names: (prefix) => (fails === 'names' && prefix.endsWith('mfe_tasks') ? failing() : store.names(prefix)),
    read: (key) => (fails === 'read' ? failing() : store.read(key)),
  };
  const read = registryReader(flaky);
  const before = await read();
  fails = 'names';
  expect(await read()).toEqual({ ...before, problems: ['EMFILE: too many open files'] });
  await release('1.0.0-b');
  fails = 'read';
  expect(await read()).toEqual({ ...before, problems: ['EMFILE: too many open files'] });
  fails = '';
  expect((await read()).modules.mfe_tasks?.version).toBe('1.0.0-b');
});

test('a reason with line breaks or terminal control characters is shown on one line', () => {
  const act = { action: 'rollback', when: '2026-11-26T10:00:00.000Z', who: 'mara' };
  const shown = describeAuthor({ ...act, why: 'slow\n3  1.0.0  publish by ann\u001b[2K' });
  expect(shown).toBe('rollback by mara, 2026-11-26T10:00:00.000Z, "slow\\u000a3  1.0.0  publish by ann\\u001b[2K"');
});
