import { filtersOfUser, type SubjectKind, subjectOf } from '@cord/contracts/events/envelope';
import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import { anticheatAssessed, userErased } from '@cord/contracts/events/user';
import { processReferralRpc } from '@cord/contracts/rpc/referral';
import { cord } from '@cord/contracts/rules/money';
import type { ConsumeOptions } from '@cord/kit/nats/consume';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { assessed } from '@cord/kit/testing/node-state';
import { expect, test, vi } from 'vitest';
import { listen } from './events.js';
import { PATIENCE, startReferrals, TEN_MINUTES } from './test/people.js';

const referrals = forAllTests(() => startReferrals());

/** Returns all stored data of the service as text. */
async function everything(): Promise<string> {
  const store = await referrals.backend.storeOf('referrals');
  const found = await Promise.all(['members', 'sums'].map((name) => store.collection(name).find({}).toArray()));
  return JSON.stringify(found, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

test('an erasure deletes name, addresses and events of the user, shown to others as ‘Deleted user’', async () => {
  const [referrer, gone, friend] = [await referrals.person(), await referrals.person(), await referrals.person()];
  await referrals.joins(gone, referrer.code);
  await referrals.joins(friend, gone.code);
  const name = `user-${gone.userId.slice(0, 6)}`;
  await referrals.earns(gone, cord(1), TEN_MINUTES, 'where-they-mined');
  const address = assessed({ addressKey: 'where-they-count' });
  await referrals.publish(anticheatAssessed, gone.userId, address, 1);
  await vi.waitFor(async () => {
    const held = await everything();
    for (const trace of [name, 'where-they-mined', 'where-they-count']) expect(held).toContain(trace);
  }, PATIENCE);
  const events = async (kind: SubjectKind, userId: string) => {
    const { jsm } = referrals.backend.nats;
    const found = await Promise.all(
      filtersOfUser(kind, userId).map((filter) => jsm.streams.info('CORD_REFERRALS', { subjects_filter: filter })),
    );
    return found.flatMap(({ state }) => Object.keys(state.subjects ?? {}));
  };
  await referrals.published(async () => {
    expect(await events(referralLinked, gone.userId)).toHaveLength(1);
    // As a friend, and as a referrer.
    expect((await events(referralJoined, gone.userId)).toSorted()).toEqual(
      [
        subjectOf(referralJoined, referrer.userId, gone.userId),
        subjectOf(referralJoined, gone.userId, friend.userId),
      ].toSorted(),
    );
  });

  await referrals.publish(userErased, gone.userId, {}, 9);
  await vi.waitFor(async () => {
    expect((await referrals.stats(referrer)).referralHistory[0]?.referredUsername).toBe('Deleted user');
    expect((await referrals.stats(friend)).referredBy).toEqual({ userId: gone.userId, username: 'Deleted user' });
    expect(await events(referralLinked, gone.userId)).toEqual([]);
    expect(await events(referralJoined, gone.userId)).toEqual([]);
  }, PATIENCE);
  // Late events are dropped.
  await referrals.publish(anticheatAssessed, gone.userId, address, 2);
  await referrals.earns(gone, cord(100), TEN_MINUTES, 'where-they-mined');
  await referrals.earns(friend, cord(10));
  await referrals.handled();
  const after = await everything();
  for (const trace of [name, 'where-they-mined', 'where-they-count']) expect(after).not.toContain(trace);
  expect(referrals.creditsOf(gone.userId, 'commission')).toEqual([]);
});

test('a referrer is paid for a friend’s unseen earnings once the ledger has closed the erased account', async () => {
  const [referrer, gone] = [await referrals.person(), await referrals.person()];
  await referrals.joins(gone, referrer.code);
  referrals.earnsUnseen(gone, cord(50));
  await referrals.publish(userErased, gone.userId, {}, 9);
  // The ledger has not handled the erasure yet: earnings until then count, too.
  await vi.waitFor(async () => {
    const { num_redelivered } = await referrals.backend.nats.jsm.consumers.info('CORD_USERS', 'referrals');
    expect(num_redelivered).toBeGreaterThan(0);
  }, PATIENCE);
  expect((await referrals.stats(referrer)).referralHistory[0]?.referredUsername).not.toBe('Deleted user');
  referrals.earnsUnseen(gone, cord(5));
  referrals.closes(gone);
  await vi.waitFor(async () => {
    await referrals.clock.advance(60_000);
    expect((await referrals.stats(referrer)).referralHistory[0]?.referredUsername).toBe('Deleted user');
    expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(11) / 2n);
  }, PATIENCE);
});

test('an erasure is redelivered without a limit while the ledger is away', () => {
  const waits: [string, number | undefined][] = [];
  const consume = ({ stream, maxBusy }: ConsumeOptions) => void waits.push([stream, maxBusy]);
  listen({ consume } as never, {} as never);
  expect(waits).toContainEqual(['CORD_USERS', Number.POSITIVE_INFINITY]);
});

test('a request of auth about an erased user leaves neither name nor code on the tombstone', async () => {
  const [referrer, gone] = [await referrals.person(), await referrals.person()];
  await referrals.publish(userErased, gone.userId, {}, 9);
  const store = await referrals.backend.storeOf('referrals');
  const stored = () => store.collection<{ _id: string }>('members').findOne({ _id: gone.userId });
  await vi.waitFor(async () => expect(await stored()).toMatchObject({ erased: true }), PATIENCE);
  await referrals.handled();
  const tombstone = await stored();
  expect(tombstone).toMatchObject({ profile: null, pendingCode: null });
  const newcomer = { username: 'nova', avatar: null, returning: false, welcomeMicro: cord(870).toString() };
  const again = { userId: gone.userId, referralCode: referrer.code, newcomer };
  await expect(referrals.backend.nats.request(processReferralRpc, again)).rejects.toMatchObject({ status: 404 });
  expect(await stored()).toEqual(tombstone);
});

test('no event contains the name of a friend’s referrer', async () => {
  const [referrer, friend] = [await referrals.person(), await referrals.person()];
  await referrals.joins(friend, referrer.code);
  const { jsm } = referrals.backend.nats;
  await referrals.published(async () => {
    const subject = subjectOf(referralLinked, friend.userId);
    const message = await jsm.streams.getMessage('CORD_REFERRALS', { last_by_subj: subject });
    expect(referralLinked.schema.parse(message?.json()).referredBy?.userId).toBe(referrer.userId);
    expect(message?.string()).not.toContain(`user-${referrer.userId.slice(0, 6)}`);
  });
});

test('one event about each friend is published for the referrer, without a name, and marks a returned friend', async () => {
  const [referrer, friend, again] = [
    await referrals.person(),
    await referrals.person(),
    await referrals.person({ returning: true }),
  ];
  const joinedAt = referrals.clock.now();
  for (const each of [friend, again]) await referrals.joins(each, referrer.code);
  const { jsm } = referrals.backend.nats;
  for (const [joined, counts] of [
    [friend, true],
    [again, false],
  ] as const) {
    await referrals.published(async () => {
      const subject = subjectOf(referralJoined, referrer.userId, joined.userId);
      const message = await jsm.streams.getMessage('CORD_REFERRALS', { last_by_subj: subject });
      const expected = { userId: referrer.userId, friendId: joined.userId, joinedAt, counts };
      expect(referralJoined.schema.parse(message?.json())).toMatchObject(expected);
      expect(message?.string()).not.toContain('user-');
    });
  }
});

test('a user who returns after an erasure brings no bonus, no commission and no friend for a task', async () => {
  const [referrer, friend, again] = [
    await referrals.person(),
    await referrals.person(),
    await referrals.person({ returning: true }),
  ];
  await referrals.joins(friend, referrer.code);
  expect((await referrals.enter(again, referrer.code)).body).toMatchObject({ referredBonus: 0, pending: false });
  await referrals.earns(again, cord(55), TEN_MINUTES);
  await referrals.earns(friend, cord(10), 0);
  await vi.waitFor(async () => {
    await referrals.clock.advance(60_000);
    expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(1));
    const shown = await referrals.stats(referrer);
    const returned = shown.referralHistory.find(({ id }) => id === again.userId);
    expect(returned).toMatchObject({ friendRanMs: TEN_MINUTES, bonusStatus: 'refused', totalEarnings: 0 });
    expect(shown).toMatchObject({ totalReferrals: 1, heldEarnings: 0 });
  }, PATIENCE);
  expect(referrals.creditsOf(referrer.userId, 'refwelcome')).toEqual([]);
});
