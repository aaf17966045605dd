import { anticheatAssessed } from '@cord/contracts/events/user';
import { referralEndpoints } from '@cord/contracts/http/referrals';
import { parkedRpc } from '@cord/contracts/rpc/parked';
import { cord } from '@cord/contracts/rules/money';
import { migrate } from '@cord/kit/migration/migrate';
import { call } from '@cord/kit/testing/index';
import { type Connection, createConnection } from 'mongoose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { data } from './data.js';
import { PATIENCE, type Person, type Referrals, startReferrals } from './test/people.js';

let alone: Referrals;
let store: Connection;
beforeAll(async () => {
  alone = await startReferrals();
  const dbName = alone.backend.dbName('referrals');
  store = await createConnection(alone.backend.mongodbUri, { dbName, useBigInt64: true }).asPromise();
});
afterAll(async () => {
  await store?.destroy();
  await alone?.stop();
});

const members = () => store.collection<{ _id: string }>('members');

/** A referrer for whom the release before has fixed a payment of 0.4 of the 1 CORD that is due. */
async function referrerOfBefore(inLedger: boolean, owed: 'promised' | 'parked'): Promise<Person> {
  const [referrer, friend] = [await alone.person(), await alone.person()];
  await alone.enter(friend, referrer.code);
  await alone.heard();
  alone.ledger.down = true;
  await alone.earns(friend, cord(10));
  await alone.heard();
  const toMicro = 400_000n;
  const key = `commission:${referrer.userId}:1`;
  const payment = { key, userId: referrer.userId, source: 'commission' as const, amountMicro: toMicro, reason: '' };
  const commission = { n: 0n, paidMicro: 0n, pending: { n: 1n, fromMicro: 0n, toMicro } };
  const parking = { refusal: 'source-not-allowed', message: '', parkedAtMs: 1 };
  const owing =
    owed === 'promised'
      ? { promised: [payment], promisedAt: 1 }
      : { parked: [{ ...payment, ...parking }], parkedAt: 1 };
  const changed = await members().updateOne(
    { _id: referrer.userId },
    { $set: { commission, ...owing }, $unset: { dueAt: '', taken: '' }, $inc: { seq: 1n } },
  );
  expect(changed.modifiedCount).toBe(1);
  if (inLedger) alone.ledger.credits.push({ ...payment, amountMicro: toMicro.toString() });
  return referrer;
}

test.each([
  ['pending, never seen by the ledger', false, 'promised'],
  ['pending, in the ledger, its answer lost', true, 'promised'],
  ['parked, not in the ledger', false, 'parked'],
  ['parked, in the ledger', true, 'parked'],
] as const)(
  'a payment of the release before, %s, goes when this one starts; the total comes exactly',
  async (...row) => {
    const [, inLedger, owed] = row;
    const referrer = await referrerOfBefore(inLedger, owed);
    const replica = await alone.replica();
    alone.ledger.down = false;
    await vi.waitFor(async () => {
      await alone.clock.advance(60_000);
      expect(alone.paidTo(referrer.userId, 'commission')).toBe(cord(1));
      expect((await alone.stats(referrer)).totalEarnings).toBe(1);
    }, PATIENCE);
    const member = await members().findOne({ _id: referrer.userId });
    expect(member).toMatchObject({ commission: { paidMicro: 1_000_000n } });
    for (const gone of ['promised', 'promisedAt', 'parked', 'parkedAt']) expect(member).not.toHaveProperty(gone);
    const { body } = await call(alone.url, referralEndpoints.earnings, {
      params: { userId: referrer.userId },
      token: referrer.token,
    });
    expect(body.total).toBe(1);
    const { credits } = await alone.backend.nats.request(parkedRpc('referrals'), { limit: 10 });
    expect(credits.filter(({ userId }) => userId === referrer.userId)).toEqual([]);
    await replica.close();
  },
);

test('what was held before this release gets its place in the list of holds', async () => {
  const [referrer, friend] = [await alone.person(), await alone.person()];
  await alone.enter(friend, referrer.code);
  const assessed = { level: 1, factorHundredths: 75, isFlagged: true, usersOnAddress: 3, addressKey: 'attic' };
  for (const { userId } of [referrer, friend]) await alone.tell(anticheatAssessed, userId, assessed, 1);
  await alone.heard();
  await alone.earns(friend, cord(10));
  const isListed = async () => expect(await members().findOne({ _id: friend.userId })).toHaveProperty('holdKey');
  await vi.waitFor(isListed, PATIENCE);
  await alone.heard();
  await members().updateOne({ _id: friend.userId }, { $unset: { holdKey: '' } });
  await store.collection('schema').deleteOne({ _id: 'members:holds-to-list' as never });
  await migrate(store, data);
  await vi.waitFor(async () => {
    await alone.clock.advance(60_000);
    await isListed();
  }, PATIENCE);
});
