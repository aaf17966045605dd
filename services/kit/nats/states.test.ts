import { subjectOf } from '@cord/contracts/events/envelope';
import { claimMade } from '@cord/contracts/events/rewards';
import { JetStreamApiError } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import { claim } from '../test/claim.js';
import { randomId, startTestBackend } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import { type State, stateStreams } from './state-streams.js';
import { createStatePublisher, type StateBounds } from './states.js';

const backend = forAllTests(() => startTestBackend({ store: false, own: true }));

const publisher = (bounds?: StateBounds) => createStatePublisher<State>(stateStreams(backend.nats), bounds);
const stream = { name: 'CORD_REWARDS' };
const stateOf = (userId: string, seq: number): State => ({
  stream,
  subject: subjectOf(claimMade, userId),
  text: JSON.stringify(claim(userId, seq, String(seq), 1)),
  msgId: `claim:${userId}:${seq}`,
  seq: BigInt(seq),
});
const lastOf = async (userId: string): Promise<string | undefined> => {
  const last = await backend.nats.jsm.streams.getMessage(stream.name, { last_by_subj: subjectOf(claimMade, userId) });
  return last?.json<{ seq: string }>().seq;
};

describe('replicas that publish states of one document', () => {
  it.each([
    { places: 1, tries: 2 },
    { places: 100, tries: 5 },
  ])('never replace a newer state with an older one, with %o', async (bounds) => {
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

  it('end with the newest state, in whatever order the states arrive', async () => {
    const userId = randomId();
    const publishers = [1, 2, 3].map(() => publisher({ places: 1, tries: 50 }));
    const orders = [5, 2, 9, 1, 7, 3, 8, 4, 6].map((seq, index) => publishers[index % 3]?.(stateOf(userId, seq)));
    await Promise.all(orders);
    expect(await lastOf(userId)).toBe('9');
  });
});

it('a state can be published again after a purge', async () => {
  const userId = randomId();
  const publish = publisher();
  await publish(stateOf(userId, 1));
  await backend.nats.jsm.streams.purge(stream.name, { filter: subjectOf(claimMade, userId) });
  await publish({ ...stateOf(userId, 1), msgId: `again:${userId}` });
  expect(await lastOf(userId)).toBe('1');
});

it('a message without a seq is replaced', async () => {
  const userId = randomId();
  await backend.nats.js.publish(subjectOf(claimMade, userId), '{"v":1}');
  await publisher()(stateOf(userId, 1));
  expect(await lastOf(userId)).toBe('1');
});

it('any other refusal of the server is thrown', async () => {
  const publish = publisher();
  const { config } = await backend.nats.jsm.streams.info(stream.name);
  await backend.nats.jsm.streams.update(stream.name, { ...config, max_msg_size: 10 });
  await expect(publish(stateOf(randomId(), 1))).rejects.toBeInstanceOf(JetStreamApiError);
  await backend.nats.jsm.streams.update(stream.name, config);
});
