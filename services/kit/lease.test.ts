import { beforeEach, expect, it } from 'vitest';
import { createLeases } from './lease.js';
import { createLogger } from './log.js';
import { periodic } from './periodic.js';
import { createTestClock, randomId, startTestStore, type TestClock } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const TTL_MS = 15_000;
const log = createLogger('test', 'silent');
const backend = forAllTests(() => startTestStore());
let clock: TestClock;
let name: string;
beforeEach(() => {
  clock = createTestClock();
  name = randomId();
});

/** A replica that does the work when the test lets it. @returns whether the work was its own in that run */
function replica(number: number) {
  const leases = createLeases(backend.store, clock, `test-${number}`);
  const work = periodic(
    { clock, log, leases },
    { name, everyMs: 3_600_000, soon: false, leaseMs: TTL_MS, run: async () => undefined },
  );
  return { run: () => work.inTurn(({ lease }) => lease()), stop: () => work.stop(), leases };
}

it('work of several replicas is one’s, and goes on at once in another where that one stops', async () => {
  const [one, two, three] = [replica(0), replica(1), replica(2)];
  expect([await one.run(), await two.run(), await three.run()]).toEqual([true, false, false]);
  expect(one.leases.held()).toEqual([name]);
  await one.stop();
  expect(await one.run()).toBe(false);
  expect([await two.run(), await three.run()]).toEqual([true, false]);
  await Promise.all([two.stop(), three.stop()]);
  expect(await backend.store.collection('leases').countDocuments()).toBe(0);
});

it('of many that request it at the same time one has it', async () => {
  const replicas = Array.from({ length: 8 }, (_, number) => replica(number));
  const own = await Promise.all(replicas.map(({ run }) => run()));
  expect(own.filter(Boolean)).toHaveLength(1);
  await Promise.all(replicas.map(({ stop }) => stop()));
});

it('of a replica that was killed goes on when the lease ends, or at once when it is back under its number', async () => {
  const [killed, other] = [replica(0), replica(1)];
  expect(await killed.run()).toBe(true);
  await clock.advance(TTL_MS - 1);
  expect(await other.run()).toBe(false);
  const back = replica(0);
  expect(await back.run()).toBe(true);
  await clock.advance(TTL_MS);
  expect(await other.run()).toBe(true);
  expect(await back.run()).toBe(false);
  await Promise.all([back.stop(), other.stop()]);
});
