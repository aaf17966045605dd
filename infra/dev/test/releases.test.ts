import { mkdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadRelease } from '@cord/deploy/services/release';
import { readJournal } from '@cord/deploy/store/release-line';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { beforeEach, expect, test } from 'vitest';
import { ROOT } from '../starter/paths.mjs';
import { releaseStore, releasesToRun } from '../starter/releases.ts';

import type { Fleet } from '../starter/rolling-update.ts';
import { serviceOrders } from '../starter/service-orders.ts';

const OF_CHECKOUT = join(ROOT, 'services/tasks/dist/main.js');
let place: Awaited<ReturnType<typeof scratch>>;
let printed: string[];
/** Rolled-out versions, in order. */
let rolled: string[];
beforeEach(async () => {
  place = stopAfterTest(await scratch());
  printed = [];
  rolled = [];
});

const store = () => releaseStore(place.folder);
const start = () => releasesToRun({ dataDir: place.folder }, ['tasks'], (line: string) => void printed.push(line));

/** Runs an order of the command `service` on a fleet of one replica. */
async function order(verb: string, version?: string): Promise<string> {
  const releases = await start();
  const replica = { pid: 1, spec: { name: 'tasks', logFile: '' } };
  const fleet = {
    replicasOf: () => [replica],
    start: async (_service: string, release: { version: string }) => {
      rolled.push(release.version);
      return { ...replica };
    },
    serve: async () => undefined,
    retire: async () => undefined,
  };
  const given = {
    dataDir: place.folder,
    releases,
    fleet: fleet as unknown as Fleet,
    migrate: async () => 0,
    ownNats: false,
  };
  const bounds = { readyMs: 1_000, watchMs: 1 };
  return serviceOrders(given)(
    { verb, service: 'tasks', ...(version && { version }), who: 'ada', ...bounds },
    () => undefined,
  );
}

/** Deploys a build of tasks that differs by its text. */
async function deploy(text: string): Promise<string> {
  const contents = { 'dist/main.js': Buffer.from(text) };
  await uploadRelease(store(), { name: 'tasks', version: `1.0.0-${text}`, contents, files: {}, size: text.length });
  return order('deploy', `1.0.0-${text}`);
}

test('a start without a deployment runs the checkout and prints nothing', async () => {
  expect((await start()).get('tasks')).toEqual({ version: 'checkout', main: OF_CHECKOUT });
  expect(printed).toEqual([]);
  expect(await readJournal(store(), 'tasks')).toEqual([]);
});

test('a deployed service runs its own copy, announced at each start, until a rollback to the checkout', async () => {
  expect(await deploy('a')).toBe('tasks is at 1.0.0-a; it was at checkout');
  const main = join(place.folder, 'releases/tasks/1.0.0-a/dist/main.js');
  expect((await start()).get('tasks')).toEqual({ version: '1.0.0-a', main });
  expect(printed).toEqual([
    expect.stringMatching(
      /^tasks runs its deployed release 1\.0\.0-a \(publish by ada, \S+\), NOT this checkout\. To run the checkout: .*rollback tasks checkout$/,
    ),
  ]);
  await deploy('b');
  expect(await order('rollback')).toBe('tasks is at 1.0.0-a; it was at 1.0.0-b');
  expect(await order('rollback')).toBe('tasks is at checkout; it was at 1.0.0-a');
  expect((await start()).get('tasks')?.main).toBe(OF_CHECKOUT);
  expect(rolled).toEqual(['1.0.0-a', '1.0.0-b', '1.0.0-a', 'checkout']);
  await deploy('c');
  expect(await order('rollback', 'checkout')).toBe('tasks is at checkout; it was at 1.0.0-c');
  await expect(order('rollback', 'checkout')).rejects.toThrow('tasks is already at checkout');
});

test('a rollback to a version that never ran is rejected by name and changes nothing', async () => {
  await expect(order('rollback')).rejects.toThrow('tasks has no version before checkout');
  await expect(order('rollback', '9.9.9')).rejects.toThrow('tasks was never at 9.9.9');
  expect(rolled).toEqual([]);
  expect(await readJournal(store(), 'tasks')).toEqual([]);
});

test('a release with missing files fails the start by name', async () => {
  await deploy('a');
  await rm(join(place.folder, 'releases/tasks'), { recursive: true });
  await expect(start()).rejects.toThrow('tasks should run 1.0.0-a, but its files are missing');
});

test('releases find the dependencies of the checkout through a link, and a start replaces nothing in its place', async () => {
  await start();
  expect(await readlink(join(place.folder, 'releases/node_modules'))).toMatch(/node_modules$/);
  await rm(join(place.folder, 'releases/node_modules'));
  await mkdir(join(place.folder, 'releases/node_modules'));
  await expect(start()).rejects.toThrow('must be a link to the dependencies');
});
