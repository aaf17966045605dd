import { subjectOf } from '@cord/contracts/events/envelope';
import { taskCompleted } from '@cord/contracts/events/tasks';
import { republishRpc } from '@cord/contracts/rpc/republish';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLeases } from './lease.js';
import { createLogger } from './log.js';
import type { Nats } from './nats.js';
import { createRepublisher, type Republisher, type StreamSources, stateSource } from './republish.js';
import { connectStore } from './store.js';
import { createTestClock, randomId, startTestBackend, type TestBackend } from './testing/index.js';
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
let backend: TestBackend;
let store: Connection;
beforeAll(async () => {
  backend = await startTestBackend({ own: true });
});
beforeEach(async () => {
  await store?.close();
  store = await connectStore(backend.mongodbUri, backend.dbName(`things-${randomId().slice(0, 6)}`), log);
  await backend.nats.jsm.streams.purge(STREAM);
});
afterAll(async () => {
  await store?.close();
  await backend?.stop();
});

const sourcesOf = (told: (thing: Thing) => Promise<void> | void = () => undefined): StreamSources => ({
  [STREAM]: [
    stateSource<Thing>({
      collection: 'things',
      kinds: [taskCompleted],
      isGone: ({ erased }) => erased === true,
      async tell(thing) {
        await told(thing);
        return [itemOf(thing)];
      },
    }),
  ],
});
const itemOf = ({ _id, seq, reward }: Thing) => ({
  key: `task:${_id}`,
  seq,
  subject: subjectOf(taskCompleted, _id),
  payload: {
    ...{ v: 1, id: `task:${_id}:${seq}`, at: 1, userId: _id, seq: String(seq) },
    ...{ taskId: 't', rewardMicro: reward, claimedAt: 1, completed: 1 },
  },
});
const owner = (sources = sourcesOf(), nats: Nats = backend.nats): Republisher =>
  createRepublisher({ owner: 'tasks', sources, nats, store, clock, leases: createLeases(store, clock), log, batch: 4 });

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

test('a stream that the owner does not know is filled, in batches, and left alone from then on', async () => {
  await things();
  await owner().lookOnce();
  expect(await messages()).toBe(COUNT);
  const before = await lastSeq();
  let asked = 0;
  await owner(sourcesOf(() => void asked++)).lookOnce();
  expect([asked, await lastSeq()]).toEqual([0, before]);
});

test('of a stream that was made anew all is told, also within the window of the message ids', async () => {
  const all = await things();
  const one = owner();
  await one.lookOnce();
  await publishAll(all);
  await backend.nats.jsm.streams.delete(STREAM);
  await ensureTopology(backend.nats);
  await one.lookOnce();
  expect(await messages()).toBe(COUNT);
});

test('who asks has what was lost told again, and nothing that stands', async () => {
  const all = await things();
  await publishAll(all);
  const one = owner();
  one.start();
  await one.lookOnce();
  const purged = await backend.nats.jsm.streams.purge(STREAM, { seq: (await lastSeq()) - 9 });
  expect(purged.purged).toBe(COUNT - 10);
  // A newer version that says the same, and one that says something else.
  await store.collection<Thing>('things').updateOne({ _id: all[COUNT - 1]?._id as string }, { $set: { seq: 99n } });
  await store
    .collection<Thing>('things')
    .updateOne({ _id: all[COUNT - 2]?._id as string }, { $set: { seq: 99n, reward: '7' } });
  const before = await lastSeq();
  await backend.nats.request(republishRpc('tasks'), { stream: STREAM, begin: true });
  await one.lookOnce();
  await expect(backend.nats.request(republishRpc('tasks'), { stream: STREAM, begin: false })).resolves.toEqual({
    running: false,
    documents: COUNT,
    told: COUNT - 10 + 1,
    unfit: 0,
  });
  expect([await messages(), await lastSeq()]).toEqual([COUNT, before + COUNT - 10 + 1]);
  const unknown = backend.nats.request(republishRpc('tasks'), { stream: 'CORD_USERS', begin: true });
  await expect(unknown).rejects.toMatchObject({ status: 404 });
  await one.stop();
});

test('a stream that has lost its end is filled again without being asked', async () => {
  await publishAll(await things());
  const one = owner();
  await one.lookOnce();
  // As after a loss of power: the place that was seen is not there any more.
  await store.collection('streams').updateOne({ _id: STREAM as never }, { $set: { lastSeq: 1_000_000 } });
  await backend.nats.jsm.streams.purge(STREAM);
  await one.lookOnce();
  expect(await messages()).toBe(COUNT);
});

test('whoever comes after a crash goes on where it was, and tells what was in hand once more', async () => {
  await things();
  const seen: string[] = [];
  let left = 10;
  const dying = owner(
    sourcesOf(({ _id }) => {
      if (left-- === 0) throw new Error('the process dies');
      seen.push(_id);
    }),
  );
  await dying.lookOnce();
  expect(await messages()).toBeLessThan(COUNT);
  const again: string[] = [];
  await owner(sourcesOf(({ _id }) => void again.push(_id))).lookOnce();
  expect(await messages()).toBe(COUNT);
  expect(again.length).toBe(COUNT - 8);
  expect(new Set([...seen, ...again]).size).toBe(COUNT);
});

test('nobody who is erased meanwhile, or by a crash in the midst of it, stands in the stream', async () => {
  const all = (await things()).sort((a, b) => (a._id < b._id ? -1 : 1));
  const erase = (thing: Thing | undefined) =>
    store.collection<Thing>('things').updateOne({ _id: thing?._id as string }, { $set: { erased: true } });
  const [first, second] = all;
  // Erased, and taken out of the stream, between the reading and the publishing.
  await owner(
    sourcesOf(async ({ _id }) => {
      if (_id === first?._id) await erase(first);
    }),
  ).lookOnce();
  expect(await messages()).toBe(COUNT - 1);

  // Published, then a crash before anybody looks again, then erased.
  await backend.nats.jsm.streams.delete(STREAM);
  await ensureTopology(backend.nats);
  let published = 0;
  const dying = {
    ...backend.nats,
    publishAnew: async (subject: string, payload: unknown) => {
      if (published++ === 2) throw new Error('the process dies');
      return backend.nats.publishAnew(subject, payload);
    },
  };
  await owner(sourcesOf(), dying).lookOnce();
  await erase(second);
  await owner().lookOnce();
  expect(await messages()).toBe(COUNT - 2);
});

test('while another has the lease nothing is told', async () => {
  await things();
  await createLeases(store, clock).acquire(`republish.${STREAM}`, 60_000);
  await owner().lookOnce();
  expect(await messages()).toBe(0);
});
