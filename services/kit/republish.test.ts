import { subjectOf } from '@cord/contracts/events/envelope';
import { taskCompleted } from '@cord/contracts/events/tasks';
import { republishRpc } from '@cord/contracts/rpc/republish';
import type { Connection } from 'mongoose';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { RECENT_WRITE_EVERY_MS } from './bounds.js';
import { collection, type DataPlan } from './collection.js';
import { createLeases } from './lease.js';
import { createLogger } from './log.js';
import type { Nats } from './nats.js';
import type { OutboxDocument } from './outbox/items.js';
import { createOutbox, type Outbox } from './outbox.js';
import { recentOf } from './republish/recent.js';
import { createRepublisher, type Republisher } from './republish.js';
import { connectStore } from './store.js';
import { createTestClock, randomId, startTestBackend } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';
import type { NatsServer } from './testing/nats-server.js';
import { PATIENCE_MS } from './testing/patience.js';
import { ensureTopology } from './topology.js';

interface Thing {
  _id: string;
  seq: bigint;
  reward: string;
  erased?: true;
}

const STREAM = 'CORD_TASKS';
const COUNT = 25;
const log = createLogger('test', 'silent');
const clock = createTestClock();
const backend = forAllTests(() => startTestBackend({ own: true }));
let store: Connection;
beforeEach(async () => {
  await store?.close();
  store = await connectStore(backend.mongodbUri, backend.dbName(`things-${randomId().slice(0, 6)}`), log);
  await backend.nats.jsm.streams.purge(STREAM);
});
afterAll(() => store?.close());

const sourcesOf = (publish: (thing: Thing) => Promise<void> | void = () => undefined): DataPlan => [
  collection<Thing>({
    name: 'things',
    states: [
      {
        kinds: [taskCompleted],
        isGone: ({ erased }) => erased === true,
        async items(thing) {
          await publish(thing);
          return [itemOf(thing)];
        },
      },
    ],
  }),
];
const itemOf = ({ _id, seq, reward }: Thing) => ({
  kind: 'event' as const,
  key: `task:${_id}`,
  seq,
  subject: subjectOf(taskCompleted, _id),
  payload: {
    ...{ v: 1, id: `task:${_id}:${seq}`, at: 1, userId: _id, seq: String(seq) },
    ...{ taskId: 't', rewardMicro: reward, claimedAt: 1, completed: 1 },
  },
});
const owner = (data = sourcesOf(), nats: Nats = backend.nats): Republisher =>
  createRepublisher({ owner: 'tasks', data, nats, store, clock, leases: createLeases(store, clock), log, batch: 4 });

async function things(): Promise<Thing[]> {
  const made = Array.from({ length: COUNT }, (_, n) => ({ _id: randomId(), seq: BigInt(n + 1), reward: '5' }));
  await store.collection<Thing>('things').insertMany(made);
  return made;
}
const publishAll = async (all: readonly Thing[]) => {
  for (const thing of all) {
    const { subject, payload } = itemOf(thing);
    await backend.nats.publish(subject, payload, payload.id);
  }
};
const messages = async () => (await backend.nats.jsm.streams.info(STREAM)).state.messages;
const lastSeq = async () => (await backend.nats.jsm.streams.info(STREAM)).state.last_seq;

test('a stream unknown to its owner is filled in batches, and left alone from then on', async () => {
  await things();
  await owner().checkNow();
  expect(await messages()).toBe(COUNT);
  const before = await lastSeq();
  let published = 0;
  await owner(sourcesOf(() => void published++)).checkNow();
  expect([published, await lastSeq()]).toEqual([0, before]);
});

test('a recreated stream is filled completely, even within the window of the message ids', async () => {
  const all = await things();
  const one = owner();
  await one.checkNow();
  await publishAll(all);
  await backend.nats.jsm.streams.delete(STREAM);
  await ensureTopology(backend.nats);
  await one.checkNow();
  expect(await messages()).toBe(COUNT);
});

test('a batch of only erased users publishes nothing, and the walk continues to its end', async () => {
  await things();
  await store.collection<Thing>('things').updateMany({}, { $set: { erased: true } });
  const one = owner();
  one.start();
  await backend.nats.request(republishRpc('tasks'), { stream: STREAM, begin: true });
  await one.checkNow();
  const outcome = backend.nats.request(republishRpc('tasks'), { stream: STREAM, begin: false });
  await expect(outcome).resolves.toEqual({ running: false, documents: COUNT, published: 0, unfit: 0 });
  await one.stop();
});

test('a request publishes lost states again, and nothing that is still there', async () => {
  const all = await things();
  await publishAll(all);
  const one = owner();
  one.start();
  await one.checkNow();
  const purged = await backend.nats.jsm.streams.purge(STREAM, { seq: (await lastSeq()) - 9 });
  expect(purged.purged).toBe(COUNT - 10);
  // A newer version with the same content, and one with another.
  await store.collection<Thing>('things').updateOne({ _id: all[COUNT - 1]?._id as string }, { $set: { seq: 99n } });
  await store
    .collection<Thing>('things')
    .updateOne({ _id: all[COUNT - 2]?._id as string }, { $set: { seq: 99n, reward: '7' } });
  const before = await lastSeq();
  await backend.nats.request(republishRpc('tasks'), { stream: STREAM, begin: true });
  await one.checkNow();
  await expect(backend.nats.request(republishRpc('tasks'), { stream: STREAM, begin: false })).resolves.toEqual({
    running: false,
    documents: COUNT,
    published: COUNT - 10 + 1,
    unfit: 0,
  });
  expect([await messages(), await lastSeq()]).toEqual([COUNT, before + COUNT - 10 + 1]);
  const unknown = backend.nats.request(republishRpc('tasks'), { stream: 'CORD_USERS', begin: true });
  await expect(unknown).rejects.toMatchObject({ status: 404 });
  await one.stop();
});

test('a forged state is replaced: the document exceeds a later version, and ignores an impossible one', async () => {
  const all = await things();
  await publishAll(all);
  const [later, impossible, own] = all as [Thing, Thing, Thing];
  for (const [thing, seq] of [
    [later, '1000'],
    [impossible, '9000000000000000000'],
  ] as const) {
    const { subject, payload } = itemOf({ ...thing, reward: '666' });
    await backend.nats.js.publish(subject, JSON.stringify({ ...payload, seq }));
  }
  const stands = async (thing: Thing) => {
    const found = await backend.nats.jsm.streams.getMessage(STREAM, { last_by_subj: itemOf(thing).subject });
    const { seq, rewardMicro } = found?.json<{ seq: string; rewardMicro: string }>() ?? {};
    return [seq, rewardMicro, (await store.collection<Thing>('things').findOne({ _id: thing._id }))?.seq];
  };
  await owner().checkNow();
  expect(await stands(later)).toEqual(['1001', '5', 1001n]);
  expect(await stands(impossible)).toEqual(['2', '5', 2n]);
  expect(await stands(own)).toEqual(['3', '5', 3n]);
});

test('a stream that has lost its end is filled again without a request', async () => {
  await publishAll(await things());
  const one = owner();
  await one.checkNow();
  // As after a loss of power: the place that was seen is not there any more.
  await store.collection('streams').updateOne({ _id: STREAM as never }, { $set: { lastSeq: 1_000_000 } });
  await backend.nats.jsm.streams.purge(STREAM);
  await one.checkNow();
  expect(await messages()).toBe(COUNT);
});

describe('a server that restarts without its last acknowledged messages', () => {
  const server = () => backend.natsServer as NatsServer;
  const collection = () => store.collection<Thing & OutboxDocument>('things');
  const relay = (): Outbox =>
    createOutbox({
      ...{ store, collection: 'things', nats: backend.nats, clock, log },
      leases: createLeases(store, clock),
    });
  /** One more thing each, published by its outbox. */
  async function publishOf(relaying: Outbox, all: readonly Thing[]): Promise<void> {
    for (const thing of all) {
      const { key, subject, payload } = itemOf(thing);
      const outbox = [{ kind: 'event' as const, key, seq: thing.seq, subject, payload }];
      await collection().updateOne({ _id: thing._id }, { $set: { outbox, dirtyAt: 1 } });
      await relaying.relayNow(thing._id);
      expect((await collection().findOne({ _id: thing._id }))?.outbox).toEqual([]);
    }
  }
  /** Everything is published and seen; then the last few are published, and the server comes back without them. */
  async function losing(count: number): Promise<{ one: Republisher; lost: readonly Thing[]; seen: number }> {
    const all = await things();
    const one = owner();
    const relaying = relay();
    await publishOf(relaying, all.slice(count));
    await one.checkNow();
    const seen = await lastSeq();
    await server().kill();
    await server().keep();
    await server().restart();
    await untilConnected();
    await one.checkNow();
    const lost = all.slice(0, count);
    // The full passage has published them; they have a new state to publish.
    const newer = lost.map((thing) => ({ ...thing, seq: thing.seq + 100n, reward: '7' }));
    for (const { _id, seq, reward } of newer) await collection().updateOne({ _id }, { $set: { seq, reward } });
    await publishOf(relaying, newer);
    expect(await stood(newer)).toBe(count);
    await server().kill();
    await server().restartAsKept();
    await untilConnected();
    return { one, lost: newer, seen };
  }
  /** A message sent before the reconnection would be awaited in vain. */
  const untilConnected = async () => {
    await expect.poll(() => backend.nats.connected()).toBe(true);
    await vi.waitFor(lastSeq, PATIENCE_MS);
  };
  /** How many things the stream holds in their last state. */
  async function stood(all: readonly Thing[]): Promise<number> {
    const states = await Promise.all(
      all.map(async (thing) => {
        const found = await backend.nats.jsm.streams.getMessage(STREAM, { last_by_subj: itemOf(thing).subject });
        return found?.json<{ seq: string; rewardMicro: string }>();
      }),
    );
    return states.filter((state, n) => state?.seq === String(all[n]?.seq) && state.rewardMicro === all[n]?.reward)
      .length;
  }

  test('gets them again at the next look when they came after the position seen last', async () => {
    const { one, lost, seen } = await losing(5);
    expect(await stood(lost)).toBe(0);
    expect(await lastSeq()).toBeGreaterThanOrEqual(seen);
    await one.checkNow();
    expect(await stood(lost)).toBe(5);
    expect(await messages()).toBe(COUNT);
    // What was published to the known server is not published again.
    const before = await lastSeq();
    await one.checkNow();
    expect(await lastSeq()).toBe(before);
  });

  test('gets them again even when others have written after the loss and the owner has restarted', async () => {
    const { lost, seen } = await losing(5);
    const others = await things();
    await publishAll(others);
    expect(await lastSeq()).toBeGreaterThan(seen + lost.length);
    await owner().checkNow();
    expect(await stood(lost)).toBe(5);
  });

  test('loses nothing from an outbox, which keeps each event until it is noted as published', async () => {
    const [thing] = (await things()) as [Thing];
    owner();
    const { key, subject, payload } = itemOf(thing);
    await collection().updateOne(
      { _id: thing._id },
      { $set: { outbox: [{ kind: 'event', key, seq: thing.seq, subject, payload }], dirtyAt: 1 } },
    );
    // The store takes no notes: what was published stays, and goes out again.
    await store.collection('recently_published').createIndex({ documents: 1 }, { unique: true });
    await store.collection<{ _id: string; documents: object[] }>('recently_published').insertOne({
      _id: '0',
      documents: [{ collection: 'things', ids: [thing._id] }],
    });
    await relay().relayNow(thing._id);
    expect((await collection().findOne({ _id: thing._id }))?.outbox).toHaveLength(1);
    await store.collection('recently_published').deleteMany({});
    await relay().relayNow(thing._id);
    expect((await collection().findOne({ _id: thing._id }))?.outbox).toEqual([]);
  });
});

test('published states are noted for some minutes, in shared writes, and only for watched collections', async () => {
  const recent = recentOf(store);
  recent.watch(['things']);
  const ids = Array.from({ length: 50 }, () => randomId());
  await Promise.all([...ids, ...ids].map((id) => recent.note('things', id)));
  await recent.note('elsewhere', 'x');
  expect([...(await recent.all())].map(([name, noted]) => [name, [...noted].sort()])).toEqual([['things', ids.sort()]]);
  expect(await store.collection('recently_published').countDocuments()).toBe(1);
  // However many documents publish something, one after the other: their notes share writes, which have a time between them.
  const startedMs = performance.now();
  for (const id of ids) void recent.note('things', `${id}-later`);
  await recent.note('things', 'last');
  for (const id of ids) await Promise.race([recent.note('things', `${id}-much-later`), new Promise(setImmediate)]);
  await recent.note('things', 'very last');
  const writes = await store.collection('recently_published').countDocuments();
  expect(writes).toBeLessThanOrEqual(2 + (performance.now() - startedMs) / RECENT_WRITE_EVERY_MS);
  expect((await recent.all()).get('things')).toHaveLength(3 * ids.length + 2);
  await recent.forget(Date.now() - 60_000);
  expect((await recent.all()).size).toBe(1);
  await recent.forget(Date.now() + 1);
  expect((await recent.all()).size).toBe(0);
});

test('a replica continues after a crash where it was, and publishes only the batch in hand once more', async () => {
  await things();
  const seen: string[] = [];
  let left = 10;
  const dying = owner(
    sourcesOf(({ _id }) => {
      if (left-- === 0) throw new Error('the process dies');
      seen.push(_id);
    }),
  );
  await dying.checkNow();
  expect(await messages()).toBeLessThan(COUNT);
  const again: string[] = [];
  await owner(sourcesOf(({ _id }) => void again.push(_id))).checkNow();
  expect(await messages()).toBe(COUNT);
  expect(again.length).toBe(COUNT - 8);
  expect(new Set([...seen, ...again]).size).toBe(COUNT);
});

test('a release that publishes another collection too leaves out nothing after a crash', async () => {
  await things();
  const early = { _id: '0'.repeat(32), seq: 1n, reward: '5' };
  await store.collection<Thing>('earlier').insertOne(early);
  let left = 10;
  const dying = sourcesOf(() => {
    if (left-- === 0) throw new Error('the process dies');
  });
  await owner(dying).checkNow();
  const [before] = sourcesOf();
  await owner([{ ...before, name: 'earlier' }, ...sourcesOf()] as DataPlan).checkNow();
  expect(await messages()).toBe(COUNT + 1);
});

test('a user who is erased meanwhile, or around a crash, is not in the stream', async () => {
  const all = (await things()).sort((a, b) => (a._id < b._id ? -1 : 1));
  const erase = (thing: Thing | undefined) =>
    store.collection<Thing>('things').updateOne({ _id: thing?._id as string }, { $set: { erased: true } });
  const [first, second] = all;
  // Erased, and taken out of the stream, between the reading and the publishing.
  await owner(
    sourcesOf(async ({ _id }) => {
      if (_id === first?._id) await erase(first);
    }),
  ).checkNow();
  expect(await messages()).toBe(COUNT - 1);

  // Published, then a crash before anybody checks again, then erased.
  await backend.nats.jsm.streams.delete(STREAM);
  await ensureTopology(backend.nats);
  let published = 0;
  const dying = {
    ...backend.nats,
    republishState: async (subject: string, payload: unknown) => {
      if (published++ === 2) throw new Error('the process dies');
      return backend.nats.republishState(subject, payload);
    },
  };
  await owner(sourcesOf(), dying).checkNow();
  await erase(second);
  await owner().checkNow();
  expect(await messages()).toBe(COUNT - 2);
});

test('nothing is published while another replica has the lease', async () => {
  await things();
  await createLeases(store, clock).acquire(`republish.${STREAM}`, 60_000);
  await owner().checkNow();
  expect(await messages()).toBe(0);
});
