import { mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratch, starter } from './starter.js';

const { releasesToRun, releaseStore } = await starter('releases');
const { StartError } = await starter('problems');
const { builtService } = await starter('../../deploy/services/release');
const { readJournal } = await starter('../../deploy/store/release-line');
const { switchTo } = await starter('../../deploy/store/releases');

let place: Awaited<ReturnType<typeof scratch>>;
let said: string[];
beforeEach(async () => {
  place = await scratch();
  said = [];
});
afterEach(() => place.remove());

/** A build of tasks that differs from others by its text. */
async function built(text: string) {
  const file = join(place.folder, text);
  await writeFile(file, text);
  const { createHash } = await import('node:crypto');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return {
    name: 'tasks',
    version: `1.0.0-${text}`,
    sources: { 'dist/main.js': file },
    files: { 'dist/main.js': sha256 },
    size: text.length,
  };
}

/** Which version a start runs when the checkout has this build. */
async function startWith(text: string, local = true): Promise<string> {
  const say = (line: string) => void said.push(line);
  const found = await releasesToRun({ local, dataDir: place.folder }, ['tasks'], say, () => built(text));
  return found.get('tasks').version;
}
const store = () => releaseStore(place.folder);
const actions = async () => {
  const journal: { by: string; version: string }[] = await readJournal(store(), 'tasks');
  return journal.map(({ by, version }) => `${by} ${version}`);
};

test('in local mode a start runs what the checkout has newer, and its journal says so', async () => {
  expect(await startWith('a')).toBe('1.0.0-a');
  expect(await startWith('a')).toBe('1.0.0-a');
  expect(await startWith('b')).toBe('1.0.0-b');
  expect(await actions()).toEqual(['start 1.0.0-a', 'start 1.0.0-b']);
  expect(said).toEqual([]);
});

test("a person's word stands, and that is said", async () => {
  await startWith('a');
  await startWith('b');
  const facts = { version: '1.0.0-a', size: 1, files: {} };
  await switchTo(store(), 'tasks', facts, { who: 'ada', by: 'person' });
  expect(await startWith('b')).toBe('1.0.0-a');
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(
    /^tasks stays at 1\.0\.0-a \(publish by ada.*here is 1\.0\.0-b: npm run service -- deploy tasks$/,
  );
});

test('in production a start runs what the journal says; it begins a journal where there is none', async () => {
  expect(await startWith('a', false)).toBe('1.0.0-a');
  expect(await startWith('b', false)).toBe('1.0.0-a');
  expect(await actions()).toEqual(['start 1.0.0-a']);
});

test('a release whose files are gone stops the start by name', async () => {
  await startWith('a', false);
  await rm(join(place.folder, 'releases/tasks'), { recursive: true });
  await expect(startWith('b', false)).rejects.toThrow('tasks should run 1.0.0-a, but its files are missing');
});

test('a checkout that is not built stops the start by name', async () => {
  const say = () => undefined;
  const built = () => builtService('tasks', place.folder);
  const starting = releasesToRun({ local: true, dataDir: place.folder }, ['tasks'], say, built);
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow('holds no service');
});

test('releases find the dependencies of the checkout above them; what else lies there is not taken away', async () => {
  await startWith('a');
  expect(await readlink(join(place.folder, 'releases/node_modules'))).toMatch(/node_modules$/);
  await rm(join(place.folder, 'releases/node_modules'));
  await mkdir(join(place.folder, 'releases/node_modules'));
  await expect(startWith('a')).rejects.toThrow('is in the way');
});
