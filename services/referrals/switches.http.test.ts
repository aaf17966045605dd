import { cord } from '@cord/contracts/rules/money';
import { createSigner } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, test, vi } from 'vitest';
import { PATIENCE, startReferrals } from './test/people.js';

const referrals = forAllTests(() => startReferrals());

test('a process that starts while auth is away keeps commission switched off, and pays all once it is on', async () => {
  const [referrer, friend] = [await referrals.person(), await referrals.person()];
  await referrals.joins(friend, referrer.code);
  await referrals.signer.state.setSwitches(['commission']);
  const store = await referrals.backend.storeOf('referrals');
  const kept = async () =>
    JSON.stringify(await store.collection('switches_kept').find({}, { useBigInt64: false }).toArray());
  await vi.waitFor(async () => expect(await kept()).toContain('commission'), PATIENCE);
  await referrals.service.close();
  await referrals.signer.state.stop();

  const replica = await referrals.replica();
  try {
    await referrals.earns(friend, cord(10));
    const members = store.collection<{ _id: string; dueAt?: number }>('members');
    const inTheBooks = async () => (await members.findOne({ _id: referrer.userId }))?.dueAt;
    await vi.waitFor(async () => expect(await inTheBooks()).toEqual(expect.any(Number)), PATIENCE);
    await referrals.handled();
    for (let minutes = 0; minutes < 3; minutes += 1) await referrals.clock.advance(60_000);
    expect(referrals.paidTo(referrer.userId, 'commission')).toBe(0n);
    await (await createSigner(referrals.backend.nats)).state.setSwitches([]);
    await vi.waitFor(async () => {
      await referrals.clock.advance(60_000);
      expect(referrals.paidTo(referrer.userId, 'commission')).toBe(cord(1));
    }, PATIENCE);
  } finally {
    await replica.close();
  }
});
