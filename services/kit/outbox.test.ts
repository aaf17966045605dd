import { subjectOf } from '@cord/contracts/events/envelope';
import { claimMade } from '@cord/contracts/events/rewards';
import fc from 'fast-check';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OUTBOX_ITEMS_MAX } from './bounds.js';
import { createLeases } from './lease.js';
import { createLogger } from './log.js';
import type { Nats } from './nats.js';
import { partitionOf } from './outbox/sweeper.js';
import { addToOutbox, createRelay, ensureOutboxIndexes, type OutboxDocument, type OutboxItem } from './outbox.js';
import { connectStore } from './store.js';
import { createTestClock, randomId, startTestBackend, type TestBackend, type TestClock } from './testing/index.js';

interface Account extends OutboxDocument {
  seq: bigint;
}

const log = createLogger('test', 'silent');
let backend: TestBackend;
let store: Connection;
let clock: TestClock;

beforeAll(async () => {
  backend = await startTestBackend();
  store = await connectStore(backend.mongodbUri, backend.dbName('outbox'), log);
  await ensureOutboxIndexes(store, 'accounts');
});
afterAll(async () => {
  await store.close();
  await backend.stop();
});
beforeEach(async () => {
  clock = createTestClock();
  await accounts().deleteMany({});
  await store.collection('leases').deleteMany({});
});

const accounts = () => store.collection<Account>('accounts');

function item(userId: string, n: number, seq = BigInt(n)): OutboxItem {
  const at = 1_790_000_000_000;
  const payload = {
    v: 1,
    id: `claim:${userId}:${n}`,
    at,
    userId,
    seq: String(seq),
    kind: 'compensation',
    amountMicro: String(n),
    claimedAt: at,
  };
  return { key: `claim:${userId}:${n}`, seq, subject: subjectOf(claimMade, userId), payload };
}

async function insert(userId: string, items: OutboxItem[], dirtyAt = clock.now()): Promise<void> {
  await accounts().insertOne({ _id: userId, seq: 1n, outbox: items, dirtyAt });
}

/** NATS whose publishing the test decides; the rest is real. */
function natsWith(publish: Nats['publish'], connected = () => true): Nats {
  return { ...backend.nats, publish, connected };
}

function relayOver(nats: Nats, more: Partial<Parameters<typeof createRelay<Account>>[0]> = {}) {
  return createRelay<Account>({
    store,
    collection: 'accounts',
    nats,
    clock,
    leases: createLeases(store, clock),
    log,
    ...more,
  });
}

async function amountsPublished(userId: string): Promise<string[]> {
  const amounts: string[] = [];
  for (let seq = 1; ; ) {
    const query = { seq, next_by_subj: subjectOf(claimMade, userId) };
    const stored = await backend.nats.jsm.streams.getMessage('CORD_REWARDS', query);
    if (!stored) return amounts;
    amounts.push(stored.json<{ amountMicro: string }>().amountMicro);
    seq = stored.seq + 1;
  }
}

describe('the relay', () => {
  it('gives out what the outbox holds, in order, and leaves the document clean', async () => {
    const userId = randomId();
    await insert(userId, [item(userId, 1), item(userId, 2), item(userId, 3)]);
    await relayOver(backend.nats).relayNow(userId);
    expect(await amountsPublished(userId)).toEqual(['1', '2', '3']);
    expect(await accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 1n, outbox: [] });
  });

  it('does before each publish what its owner asked for', async () => {
    const userId = randomId();
    const entries: string[] = [];
    const publish: Nats['publish'] = async (subject, payload, msgId) => {
      expect(entries.at(-1)).toBe(msgId.slice(0, msgId.lastIndexOf(':')));
      return backend.nats.publish(subject, payload, msgId);
    };
    await insert(userId, [item(userId, 1), item(userId, 2)]);
    const beforePublish = async (document: Account, { key }: OutboxItem) => {
      expect(document._id).toBe(userId);
      entries.push(key);
    };
    await relayOver(natsWith(publish), { beforePublish }).relayNow(userId);
    expect(entries).toEqual([`claim:${userId}:1`, `claim:${userId}:2`]);
  });

  it('a slot that was overwritten while it went out stays, and goes out as well', async () => {
    const userId = randomId();
    await insert(userId, [item(userId, 1, 5n)]);
    let overwritten = false;
    const publish: Nats['publish'] = async (subject, payload, msgId) => {
      if (!overwritten) {
        overwritten = true;
        await accounts().updateOne({ _id: userId }, { $set: { outbox: [item(userId, 1, 6n)], seq: 2n } });
      }
      return backend.nats.publish(subject, payload, msgId);
    };
    await relayOver(natsWith(publish)).relayNow(userId);
    expect(await amountsPublished(userId)).toHaveLength(2);
    expect(await accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 2n, outbox: [] });
  });

  it('what is added meanwhile keeps the document dirty until it is out too', async () => {
    const userId = randomId();
    await insert(userId, [item(userId, 1)]);
    let added = 0;
    const publish: Nats['publish'] = async (subject, payload, msgId) => {
      if (added++ < 10) {
        const more = item(userId, added + 1);
        await accounts().updateOne(
          { _id: userId },
          { $push: { outbox: more as never }, $set: { dirtyAt: clock.now() } },
        );
      }
      return backend.nats.publish(subject, payload, msgId);
    };
    const relay = relayOver(natsWith(publish));
    await relay.relayNow(userId);
    const left = await accounts().findOne({ _id: userId });
    expect(left?.dirtyAt).toBe(clock.now());
    for (let n = 0; n < 5; n++) {
      await clock.advance(6_000);
      await relay.sweepOnce();
    }
    expect(await accounts().findOne({ _id: userId })).not.toHaveProperty('dirtyAt');
    expect(await amountsPublished(userId)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
  });

  it('while NATS is away nothing is lost; a sweep afterwards gives it out', async () => {
    const userId = randomId();
    let up = false;
    const relay = relayOver(natsWith(backend.nats.publish, () => up));
    await insert(userId, [item(userId, 1)]);
    await relay.relayNow(userId);
    await clock.advance(60_000);
    expect(await relay.sweepOnce()).toBe(0);
    up = true;
    expect(await relay.sweepOnce()).toBe(1);
    expect(await amountsPublished(userId)).toEqual(['1']);
  });
});

describe('the sweeper', () => {
  it('leaves alone what is younger than five seconds', async () => {
    const userId = randomId();
    const relay = relayOver(backend.nats);
    await insert(userId, [item(userId, 1)]);
    await clock.advance(4_999);
    expect(await relay.sweepOnce()).toBe(0);
    await clock.advance(1);
    expect(await relay.sweepOnce()).toBe(1);
  });

  it('a document that cannot go out waits longer each time, and keeps no other waiting', async () => {
    const [bad, good] = [randomId(), randomId()];
    await insert(bad, [{ ...item(bad, 1), subject: 'cord.nothing.v1.here.x' }], clock.now() - 1);
    await insert(good, [item(good, 1)]);
    let tries = 0;
    const publish: Nats['publish'] = (subject, payload, msgId) => {
      if (subject.startsWith('cord.nothing')) tries += 1;
      return backend.nats.publish(subject, payload, msgId);
    };
    const relay = relayOver(natsWith(publish));
    await clock.advance(5_000);
    expect(await relay.sweepOnce()).toBe(1);
    await relay.sweepOnce();
    expect(tries).toBe(1);
    await clock.advance(1_000);
    await relay.sweepOnce();
    expect(tries).toBe(2);
    await clock.advance(1_000);
    await relay.sweepOnce();
    expect(tries).toBe(2);
    await clock.advance(1_000);
    await relay.sweepOnce();
    expect(tries).toBe(3);
  });

  it('of two replicas only one sweeps a partition, and the other takes over when the lease ends', async () => {
    const [one, two] = [relayOver(backend.nats), relayOver(backend.nats)];
    const first = randomId();
    await insert(first, [item(first, 1)]);
    await clock.advance(5_000);
    expect(await one.sweepOnce()).toBe(1);
    const second = randomId();
    await insert(second, [item(second, 1)], clock.now() - 5_000);
    expect(await two.sweepOnce()).toBe(0);
    await clock.advance(15_000);
    expect(await two.sweepOnce()).toBe(1);
  });

  it('when the clock was moved it has swept before the mover gets its answer', async () => {
    const relay = relayOver(backend.nats);
    relay.start();
    const userId = randomId();
    await insert(userId, [item(userId, 1)]);
    await clock.advance(3_600_000);
    expect(await amountsPublished(userId)).toEqual(['1']);
    await relay.stop();
  });

  it('every id has a partition, and they are even', () => {
    const counts = new Map<number, number>();
    for (let n = 0; n < 4_000; n++) {
      const partition = partitionOf(randomId());
      counts.set(partition, (counts.get(partition) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([0, 1, 2, 3]);
    expect(Math.min(...counts.values())).toBeGreaterThan(800);
  });
});

describe('an outbox', () => {
  it('takes 64 items and refuses the next with 503; a slot of the same key is overwritten', () => {
    const userId = randomId();
    let outbox: OutboxItem[] = [];
    for (let n = 0; n < OUTBOX_ITEMS_MAX; n++) outbox = addToOutbox(outbox, item(userId, n));
    expect(() => addToOutbox(outbox, item(userId, 64))).toThrow(
      expect.objectContaining({ status: 503, type: 'outbox-full' }),
    );
    const overwritten = addToOutbox(outbox, { ...item(userId, 0), seq: 99n });
    expect(overwritten).toHaveLength(OUTBOX_ITEMS_MAX);
    expect(overwritten.at(-1)?.seq).toBe(99n);
  });
});

describe('a crash at any point', () => {
  type Step = { do: 'write' | 'relay' | 'sweep'; crash: 'before publish' | 'after publish' | 'after entry' | 'never' };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('write', 'write', 'relay', 'sweep'),
    crash: fc.constantFrom('never', 'never', 'before publish', 'after publish', 'after entry'),
  });

  it('loses and doubles nothing, and the document ends clean', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 15 }), async (steps) => {
        const userId = randomId();
        await insert(userId, []);
        await accounts().updateOne({ _id: userId }, { $unset: { dirtyAt: '' } });
        let crash: Step['crash'] = 'never';
        const entries = new Set<string>();
        const publish: Nats['publish'] = async (subject, payload, msgId) => {
          if (crash === 'before publish') throw new Error('crashed');
          const ack = await backend.nats.publish(subject, payload, msgId);
          if (crash === 'after publish') throw new Error('crashed');
          return ack;
        };
        const relay = relayOver(natsWith(publish), {
          beforePublish: async (_document, { key }) => {
            entries.add(key);
            if (crash === 'after entry') throw new Error('crashed');
          },
        });
        let written = 0;
        for (const one of steps) {
          crash = one.crash;
          if (one.do === 'write') {
            written += 1;
            const added = item(userId, written) as never;
            await accounts().updateOne({ _id: userId }, { $push: { outbox: added }, $set: { dirtyAt: clock.now() } });
          }
          if (one.do === 'relay') await relay.relayNow(userId);
          if (one.do === 'sweep') {
            await clock.advance(120_000);
            await relay.sweepOnce();
          }
          const stored = await accounts().findOne({ _id: userId });
          const waiting = (stored?.outbox ?? []).map(({ key }) => key);
          const out = new Set((await amountsPublished(userId)).map((amount) => `claim:${userId}:${amount}`));
          for (let n = 1; n <= written; n++) {
            const key = `claim:${userId}:${n}`;
            expect(waiting.includes(key) || out.has(key), `${key} is neither waiting nor out`).toBe(true);
            if (!waiting.includes(key)) expect(entries.has(key), `${key} left without its entry`).toBe(true);
          }
          expect(stored?.dirtyAt !== undefined).toBe(waiting.length > 0);
        }
        crash = 'never';
        await clock.advance(120_000);
        await relay.sweepOnce();
        expect(await amountsPublished(userId)).toEqual(Array.from({ length: written }, (_, n) => String(n + 1)));
        expect(await accounts().findOne({ _id: userId })).toEqual({ _id: userId, seq: 1n, outbox: [] });
      }),
      { numRuns: 40 },
    );
  });
});
