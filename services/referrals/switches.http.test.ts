import { cord } from '@cord/contracts/rules/money';
import { createSigner } from '@cord/kit/testing/index';
import { createConnection } from 'mongoose';
import { expect, test, vi } from 'vitest';
import { PATIENCE, startReferrals } from './test/people.js';
import { forAllTests } from '@cord/kit/testing/lifetimes';

const alone = forAllTests(() => startReferrals());

test('a process that starts while auth is away keeps commission switched off, and all of it comes once it is on', async () => {
  const [referrer, friend] = [await alone.person(), await alone.person()];
  await alone.enter(friend, referrer.code);
  await alone.signer.state.setSwitches(['commission']);
  const dbName = alone.backend.dbName('referrals');
  const store = await createConnection(alone.backend.mongodbUri, { dbName }).asPromise();
  const kept = async () => JSON.stringify(await store.collection('switches_kept').find({}).toArray());
  await vi.waitFor(async () => expect(await kept()).toContain('commission'), PATIENCE);
  await alone.service.close();
  await alone.signer.state.stop();

  const replica = await alone.replica();
  try {
    await alone.earns(friend, cord(10));
    const members = store.collection<{ _id: string; dueAt?: number }>('members');
    const inTheBooks = async () => (await members.findOne({ _id: referrer.userId }))?.dueAt;
    await vi.waitFor(async () => expect(await inTheBooks()).toEqual(expect.any(Number)), PATIENCE);
    await alone.handled();
    for (let minutes = 0; minutes < 3; minutes += 1) await alone.clock.advance(60_000);
    expect(alone.paidTo(referrer.userId, 'commission')).toBe(0n);
    await (await createSigner(alone.backend.nats)).state.setSwitches([]);
    await vi.waitFor(async () => {
      await alone.clock.advance(60_000);
      expect(alone.paidTo(referrer.userId, 'commission')).toBe(cord(1));
    }, PATIENCE);
  } finally {
    await replica.close();
    await store.destroy();
  }
});
