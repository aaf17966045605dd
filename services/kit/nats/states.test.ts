import { subjectOf } from '@cord/contracts/events/envelope';
import { claimMade } from '@cord/contracts/events/rewards';
import { STREAMS } from '@cord/contracts/events/streams';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { JetStreamApiError } from '@nats-io/jetstream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { randomId, startTestBackend, type TestBackend } from '../testing/index.js';
import { ensureTopology } from '../topology.js';
import { on } from './consume.js';
import { type State, stateStreams } from './state-streams.js';
import { createStatePublisher, type StateBounds } from './states.js';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend({ store: false, own: true });
});
afterAll(() => backend.stop());

const publisher = (bounds?: StateBounds) => createStatePublisher<State>(stateStreams(backend.nats), bounds);
const stream = { name: 'CORD_REWARDS' };
const claim = (userId: string, seq: number) => ({
  v: 1,
  id: `claim:${userId}:${seq}`,
  at: 1,
  userId,
  seq: String(seq),
  kind: 'compensation',
  amountMicro: String(seq),
  claimedAt: 1,
});
const stateOf = (userId: string, seq: number): State => ({
  stream,
  subject: subjectOf(claimMade, userId),
  text: JSON.stringify(claim(userId, seq)),
  msgId: `claim:${userId}:${seq}`,
  seq: BigInt(seq),
});
const lastOf = async (userId: string): Promise<string | undefined> => {
  const last = await backend.nats.jsm.streams.getMessage(stream.name, { last_by_subj: subjectOf(claimMade, userId) });
  return last?.json<{ seq: string }>().seq;
};

describe('of two replicas that publish states of one document', () => {
  it.each([
    { places: 1, tries: 2 },
    { places: 100, tries: 5 },
  ])('an older one never takes the place of a newer one, with %o', async (bounds) => {
    const [one, two] = [publisher(bounds), publisher(bounds)];
    const userId = randomId();
    const first = await one(stateOf(userId, 1));
    expect(first.duplicate).toBe(false);
    const third = await two(stateOf(userId, 3));
    expect(await one(stateOf(userId, 2))).toEqual({ streamSeq: third.streamSeq, duplicate: true });
    expect(await lastOf(userId)).toBe('3');
    expect((await one(stateOf(userId, 4))).duplicate).toBe(false);
    expect((await two(stateOf(userId, 4))).duplicate).toBe(true);
    expect(await lastOf(userId)).toBe('4');
  });

  it('the newest stands there in the end, whatever the order they come in', async () => {
    const userId = randomId();
    const publishers = [1, 2, 3].map(() => publisher({ places: 1, tries: 50 }));
    const orders = [5, 2, 9, 1, 7, 3, 8, 4, 6].map((seq, index) => publishers[index % 3]?.(stateOf(userId, seq)));
    await Promise.all(orders);
    expect(await lastOf(userId)).toBe('9');
  });
});

it('after a purge a state that was there can be published again', async () => {
  const userId = randomId();
  const publish = publisher();
  await publish(stateOf(userId, 1));
  await backend.nats.jsm.streams.purge(stream.name, { filter: subjectOf(claimMade, userId) });
  await publish({ ...stateOf(userId, 1), msgId: `again:${userId}` });
  expect(await lastOf(userId)).toBe('1');
});

it('a message that tells no seq is replaced', async () => {
  const userId = randomId();
  await backend.nats.js.publish(subjectOf(claimMade, userId), '{"v":1}');
  await publisher()(stateOf(userId, 1));
  expect(await lastOf(userId)).toBe('1');
});

it('what the server refuses for another reason is thrown', async () => {
  const publish = publisher();
  const { config } = await backend.nats.jsm.streams.info(stream.name);
  await backend.nats.jsm.streams.update(stream.name, { ...config, max_msg_size: 10 });
  await expect(publish(stateOf(randomId(), 1))).rejects.toBeInstanceOf(JetStreamApiError);
  await backend.nats.jsm.streams.update(stream.name, config);
});

describe('a data folder of the release before', () => {
  const WEEK_NS = 7 * 86_400 * 1_000_000_000;
  beforeEach(async () => {
    const { jsm } = backend.nats;
    for (const { name } of STREAMS) await jsm.streams.delete(name);
    for (const { name, subjects } of STREAMS) {
      const balances = name === 'CORD_BALANCE';
      await jsm.streams.add({
        name,
        subjects,
        retention: 'limits',
        storage: 'file',
        discard: 'new',
        max_age: balances ? 0 : WEEK_NS,
        max_bytes: balances ? 2 ** 31 : 2 ** 30,
        max_msgs_per_subject: balances ? 1 : -1,
        duplicate_window: 120_000_000_000,
        allow_direct: true,
      });
    }
    for (const [service, { consumes: streams }] of Object.entries(MANIFESTS)) {
      for (const name of streams) {
        const limits = { ack_policy: 'explicit', deliver_policy: 'all', max_deliver: -1 } as const;
        await jsm.consumers.add(name, { durable_name: service, ...limits });
      }
    }
  });

  it('keeps the last state of each subject, and durable and ordered readers go on', async () => {
    const { nats } = backend;
    const users = [randomId(), randomId(), randomId()];
    const old = async (userId: string, seq: number) =>
      nats.js.publish(subjectOf(claimMade, userId), JSON.stringify(claim(userId, seq)));
    const handled: string[] = [];
    const hear = () =>
      nats.consume({
        stream: stream.name,
        durable: 'auth',
        handlers: [on(claimMade, async ({ userId, seq }) => void handled.push(`${users.indexOf(userId)}:${seq}`))],
      });
    // A part was heard before the stop, the rest waits.
    const before = hear();
    for (const userId of users) await old(userId, 1);
    await expect.poll(() => handled).toEqual(['0:1', '1:1', '2:1']);
    await before.stop();
    for (let seq = 2; seq <= 9; seq++) for (const userId of users) await old(userId, seq);

    await ensureTopology(nats);
    const { state, config } = await nats.jsm.streams.info(stream.name);
    expect(config).toMatchObject({ max_msgs_per_subject: 1, max_age: 0, discard: 'new' });
    expect(state.messages).toBe(users.length);
    for (const userId of users) expect(await lastOf(userId)).toBe('9');

    const after = hear();
    await expect.poll(() => [...handled.slice(3)].sort()).toEqual(['0:9', '1:9', '2:9']);
    const ordered: string[] = [];
    const reading = nats.orderedConsume({
      stream: stream.name,
      handlers: [on(claimMade, async ({ userId, seq }) => void ordered.push(`${users.indexOf(userId)}:${seq}`))],
    });
    await reading.caughtUp;
    expect(ordered).toEqual(['0:9', '1:9', '2:9']);
    const [first = ''] = users;
    await nats.publish(subjectOf(claimMade, first), claim(first, 10), `claim:${first}:10`);
    await expect.poll(() => [handled.at(-1), ordered.at(-1)]).toEqual(['0:10', '0:10']);
    await Promise.all([after.stop(), reading.stop()]);
  });
});
