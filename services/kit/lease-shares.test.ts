import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLeases } from './lease.js';
import { createLogger } from './log.js';
import { periodic } from './periodic.js';
import { connectStore } from './store.js';
import { createTestClock, randomId, startTestBackend, type TestBackend, type TestClock } from './testing/index.js';

const TTL_MS = 15_000;
const PARTS = 16;
const log = createLogger('test', 'silent');
let backend: TestBackend;
let store: Connection;
let clock: TestClock;
let work: string;
beforeAll(async () => {
  backend = await startTestBackend();
  store = await connectStore(backend.mongodbUri, backend.dbName('shares'), log);
});
afterAll(async () => {
  await store.close();
  await backend.stop();
});
beforeEach(() => {
  clock = createTestClock();
  work = randomId();
});

/** A replica that does the work when it is told to. @returns which documents were its own in that run */
function replica(number: number, parts = PARTS, name = work) {
  const leases = createLeases(store, clock, `test-${number}`);
  const run = async () => undefined;
  const looping = periodic(
    { clock, log, leases },
    { name, everyMs: 3_600_000, soon: false, leaseMs: TTL_MS, parts, run },
  );
  const own = async (ids: readonly string[]) =>
    looping.inTurn(async ({ mine }) => {
      const isMine = await mine();
      return ids.filter((id) => isMine?.(id));
    });
  return { own, stop: () => looping.stop(), leases };
}

describe('work in sixteen parts', () => {
  const ids = Array.from({ length: 400 }, () => randomId());

  it('is all one’s who is alone, and shared evenly with who comes; no run leaves a part out, and none is two’s', async () => {
    const replicas = [replica(0)];
    expect(await replicas[0]?.own(ids)).toEqual(ids);
    for (const count of [2, 3, 4]) {
      replicas.push(replica(count - 1));
      // Whoever has a part ends its run before another does it: until then it is done, and may be done once more.
      for (let round = 0; round < 3; round += 1) expect(new Set((await inTurn(replicas)).flat()).size).toBe(ids.length);
      const settled = await Promise.all(replicas.map(({ own }) => own(ids)));
      expect(settled.flat().sort()).toEqual([...ids].sort());
      const parts = replicas.map(({ leases }) => leases.held().length);
      expect([Math.min(...parts), Math.max(...parts)], `${count} replicas`).toEqual([
        Math.floor(PARTS / count),
        Math.ceil(PARTS / count),
      ]);
    }
    await Promise.all(replicas.map(({ stop }) => stop()));
    expect(await store.collection('leases').countDocuments()).toBe(0);
  });

  it('goes on at once where one stops, and when its leases end where it was killed', async () => {
    const [one, two, killed] = [replica(0), replica(1), replica(2)];
    for (let round = 0; round < 3; round += 1) await inTurn([one, two, killed]);
    await one.stop();
    expect(new Set((await inTurn([two, killed])).flat()).size).toBe(ids.length);
    await clock.advance(TTL_MS);
    expect(await two.own(ids)).toEqual(ids);
    // It is back under its number.
    const back = replica(2);
    await inTurn([two, back]);
    expect((await inTurn([two, back])).map((own) => own.length > 0)).toEqual([true, true]);
    await Promise.all([two.stop(), back.stop()]);
  });

  async function inTurn(replicas: readonly ReturnType<typeof replica>[]) {
    const runs: string[][] = [];
    for (const { own } of replicas) runs.push(await own(ids));
    return runs;
  }
});

it('works of one part are spread over the replicas, each done by one', async () => {
  const works = Array.from({ length: 16 }, () => randomId());
  const pairs = works.map((name) => [replica(0, 1, name), replica(1, 1, name)] as const);
  const done = { 0: 0, 1: 0 };
  for (const [one, other] of pairs) {
    for (let round = 0; round < 2; round += 1) {
      await one.own(['x']);
      await other.own(['x']);
    }
    const [first, second] = [await one.own(['x']), await other.own(['x'])];
    expect(first.length + second.length).toBe(1);
    done[first.length === 1 ? 0 : 1] += 1;
  }
  expect(Math.min(done[0], done[1])).toBeGreaterThan(0);
  for (const pair of pairs) for (const each of pair) await each.stop();
});
