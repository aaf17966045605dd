import { cord } from '@cord/contracts/rules/money';
import { createConnection } from 'mongoose';
import { expect, test, vi } from 'vitest';
import { PATIENCE, startReferrals } from './test/people.js';
import { forAllTests } from '@cord/kit/testing/lifetimes';

const alone = forAllTests(() => startReferrals());

test('a crash between the link and the referrer’s books costs no user anything', async () => {
  const [referrer, friend] = [await alone.person(), await alone.person({ earned: cord(500) })];
  await alone.enter(friend, referrer.code);
  // As the crash leaves it: the link is written, the books have nothing of it.
  const dbName = alone.backend.dbName('referrals');
  const store = await createConnection(alone.backend.mongodbUri, { dbName }).asPromise();
  const by = (name: string) => store.collection<{ _id: string }>(name);
  const removed = await by('sums').deleteOne({ _id: `${referrer.userId}:0` });
  const changed = await by('members').updateOne({ _id: friend.userId }, { $unset: { 'referredBy.bucket': '' } });
  await store.destroy();
  expect([removed.deletedCount, changed.modifiedCount]).toEqual([1, 1]);
  await alone.earns(friend, cord(100));
  await vi.waitFor(async () => {
    await alone.clock.advance(60_000);
    expect(alone.paidTo(referrer.userId, 'commission')).toBe(cord(10));
    expect((await alone.stats(referrer)).totalReferrals).toBe(1);
  }, PATIENCE);
});
