import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { collection } from './collection.js';
import { createLeases } from './lease.js';
import { createLogger } from './log.js';
import type { Nats } from './nats.js';
import { createOutbox } from './outbox.js';
import { item } from './test/outbox-fixture.js';
import { monitorCommands, monitoredUri } from './testing/command-monitor.js';
import { createTestClock, randomId, startTestStore, type TestClock } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const log = createLogger('test', 'silent');
const monitor = monitorCommands();
const data = [collection({ name: 'things', outbox: 'credits' })];
const backend = forAllTests(() => startTestStore({ data, uriOf: monitoredUri }));
let clock: TestClock;

afterAll(() => monitor.stop());
beforeEach(async () => {
  clock = createTestClock();
  await backend.store.collection('things').deleteMany({});
  await backend.store.collection('leases').deleteMany({});
});

/** What one replica does in the background, swept every second of that many. */
async function writesIn(seconds: number, nats: Nats = backend.nats): Promise<string[]> {
  const keeping = {
    store: backend.store,
    collection: 'things',
    clock,
    leases: createLeases(backend.store, clock),
    log,
  };
  const ledger = { credit: () => Promise.reject(new Error('not called')) };
  const outbox = createOutbox({ ...keeping, nats, ledger });
  const before = monitor.sent().length;
  for (let second = 0; second < seconds; second++) {
    await clock.advance(1_000);
    await outbox.sweepOnce();
  }
  const sent = monitor.sent().slice(before);
  return sent.filter((command) => /^(insert|update|delete|findAndModify) /.test(command));
}

describe('a replica with nothing to do', () => {
  it('reads outboxes and writes nothing', async () => {
    expect(await writesIn(60)).toEqual([]);
  });

  it.each([
    ['for five seconds where nothing is marked', undefined, 5_000],
    ['until the first mark is due', -1_500, 3_500],
    ['no longer than five seconds for a mark further ahead', 30_000, 5_000],
  ])('rests %s', async (_name, markedMs, restMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    if (markedMs !== undefined)
      await backend.store.collection('things').insertOne({ _id: randomId() as never, dirtyAt: clock.now() + markedMs });
    const outbox = createOutbox({
      store: backend.store,
      collection: 'things',
      nats: backend.nats,
      clock,
      leases: createLeases(backend.store, clock),
      log,
    });
    onTestFinished(() => outbox.stop());
    /** How often the store was read since the last time, after what is under way and with a look of its own. */
    let before = monitor.sent().length;
    const reads = async () => {
      await outbox.sweepOnce();
      const sent = monitor.sent();
      const since = sent.slice(before).filter((command) => command === 'find things').length;
      before = sent.length;
      return since;
    };
    const look = await reads();
    outbox.start();
    await vi.advanceTimersToNextTimerAsync();
    expect(await reads()).toBe(2 * look);
    await vi.advanceTimersByTimeAsync(restMs - 1);
    expect(await reads()).toBe(look);
    await vi.advanceTimersByTimeAsync(1);
    expect(await reads()).toBe(2 * look);
  });

  it('renews the lease only at half of its time while a document cannot be sent', async () => {
    const userId = randomId();
    await backend.store.collection('things').insertOne({
      _id: userId as never,
      seq: 1n,
      outbox: [item(userId, 1)],
      dirtyAt: clock.now() - 5_000,
    });
    const failing = { ...backend.nats, publish: () => Promise.reject(new Error('no acknowledgement')) };
    // For 60 s, of 15 s each: taken in the first second, then after 8 s each.
    expect(await writesIn(60, failing)).toEqual(Array(8).fill('update leases'));
  });

  it('writes nothing while another one holds the lease', async () => {
    const userId = randomId();
    const holder = createLeases(backend.store, clock);
    await holder.acquire('outbox.things', 3_600_000);
    await backend.store.collection('things').insertOne({
      _id: userId as never,
      seq: 1n,
      outbox: [item(userId, 1)],
      dirtyAt: clock.now() - 5_000,
    });
    expect(await writesIn(30)).toEqual([]);
  });
});

describe('a lease', () => {
  it('released at a stop is free for others at once', async () => {
    const [one, two] = [createLeases(backend.store, clock), createLeases(backend.store, clock)];
    await one.acquire('a', 60_000);
    await one.acquire('b', 60_000);
    expect(await two.acquire('a', 60_000)).toBeNull();
    await one.releaseAll();
    expect([await two.acquire('a', 60_000), await two.acquire('b', 60_000)]).not.toContain(null);
    expect(await one.acquire('a', 60_000)).toBeNull();
  });
});
