import { cord } from '@cord/contracts/rules/money';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { createConnection } from 'mongoose';
import { expect, test, vi } from 'vitest';
import { PATIENCE, startReferrals } from './test/people.js';

const referrals = forAllTests(() => startReferrals());

test('a crash between the link and the referrer’s books costs no user anything', async () => {
  const [referrer, friend] = [await referrals.person(), await referrals.person({ earned: cord(500) })];
  await referrals.joins(friend, referrer.code);
  // As the crash leaves it: the link is written, the books have nothing of it.
  const dbName = referrals.backend.dbName('referrals');
  const store = await createConnection(referrals.backend.mongodbUri, { dbName }).asPromise();
  const by = (name: string) => store.collection<{ _id: string }>(name);
  const removed = await by('sums').deleteOne({ _id: `${referrer.userId}:0` });
  const changed = await by('members').updateOne({ _id: friend.userId }, { $unset: { 'referredBy.bucket': '' } });
  await store.destroy();
  expect([removed.deletedCount, changed.modifiedCount]).toEqual([1, 1]);
  await referrals.earns(friend, cord(100));
  await vi.waitFor(async () => {
    await referrals.clock.advance(60_000);
    expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(10));
    expect((await referrals.stats(referrer)).totalReferrals).toBe(1);
  }, PATIENCE);
});
