import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, expect, test } from 'vitest';
import { WATCHED_MS } from '../domain/look-schedule.js';
import { openDesks, type Process, purchaseAt } from '../test/desks.js';
import { createUnassignedPayments } from './unassigned.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const DAY_MS = 86_400_000;

const desks = forAllTests(() => openDesks());
beforeEach(() => desks.newRound());

const refundsOf = ({ refunds }: Process) => refunds.list({ status: null, after: null, limit: 10 });

/** Sets up an order, and the recording of payments. */
async function ordered() {
  const bought = await purchaseAt(desks, NOON);
  const { rewards, network, clock } = bought;
  const { orders, signatures, payments } = rewards;
  const unassigned = createUnassignedPayments({ orders, signatures, network, payments });
  return {
    ...bought,
    record: async (userId: string, signature: string) => unassigned.record(await unassigned.take(userId, signature)),
    /** Advances until the order is no longer watched. */
    async endWatch() {
      for (let days = 0; days <= WATCHED_MS / DAY_MS + 1; days += 1) {
        await clock.advance(DAY_MS);
        await rewards.reconciler.sweepOnce();
      }
      expect((await rewards.orders.get(bought.order._id)).lookAtMs).toBeNull();
    },
  };
}

test('a payment of an order that is no longer watched is recorded for its buyer as a refund', async () => {
  const { rewards, network, userId, order, record, endWatch, clock, status } = await ordered();
  const late = { blockTimeMs: order.expiresAtMs + 6 * DAY_MS };
  network.land(order, 'seen', late);
  await expect(record(userId, 'seen')).rejects.toMatchObject({ status: 409, type: 'payment-of-order' });
  expect(await refundsOf(rewards)).toEqual([]);
  await endWatch();
  expect(await refundsOf(rewards)).toMatchObject([{ signature: 'seen', reason: 'order-expired' }]);

  network.land(order, 'late', { blockTimeMs: clock.now() });
  await clock.advance(DAY_MS);
  await rewards.reconciler.sweepOnce();
  expect(await refundsOf(rewards)).toHaveLength(1);
  await expect(record(randomId(), 'late')).rejects.toMatchObject({ status: 404, type: 'payment-without-order' });
  for (let n = 0; n < 2; n += 1) await record(userId, 'late');
  expect(await refundsOf(rewards)).toMatchObject([
    { signature: 'seen' },
    {
      ...{ signature: 'late', reason: 'order-expired', orderId: order._id, userId },
      payer: 'payer',
      lamports: 20_000_000,
    },
  ]);
  expect(await status()).toBe('refund');
});

test('a payment by two wallets, named only by a third transfer, is owed back once to each wallet', async () => {
  const { rewards, network, userId, order, record, status } = await ordered();
  const toTreasury = (from: string, lamports: bigint) => ({
    ...{ from, to: order.treasury, lamports },
    keys: [from, order.treasury],
  });
  const naming = { from: 'ann', to: 'ann', lamports: 1n, keys: ['ann', 'ann', order.reference] };
  network.land(order, 'bare', {
    signers: ['ann', 'bob'],
    transfers: [toTreasury('ann', 5_000_000n), toTreasury('bob', 20_000_000n), naming],
    changes: new Map([[order.treasury, 25_000_000n]]),
  });
  expect(await rewards.payments.submit(order, 'bare')).toBe('wrong-treasury');
  for (let n = 0; n < 2; n += 1) await record(userId, 'bare');
  const owed = { signature: 'bare', reason: 'wrong-reference', userId, orderId: order._id };
  const refunds = [...(await refundsOf(rewards))].sort((a, b) => a.lamports - b.lamports);
  expect(refunds).toMatchObject([
    { ...owed, payer: 'ann', lamports: 5_000_000 },
    { ...owed, payer: 'bob', lamports: 20_000_000 },
  ]);
  expect(refunds).toHaveLength(2);
  expect(await status()).toBe('refund');
});

test('a payment of an order that is no longer watched is recorded for no other account and gives no badge', async () => {
  const { rewards, network, userId, order, record, endWatch } = await ordered();
  await endWatch();
  const other = randomId();
  await rewards.creating.create(other, null);
  network.land(order, 'paid');
  await expect(record(other, 'paid')).rejects.toMatchObject({ type: 'payment-without-order' });
  await expect(record(userId, 'paid')).rejects.toMatchObject({ status: 409, type: 'payment-of-order' });
  network.land(order, 'failed', { succeeded: false });
  await expect(record(userId, 'failed')).rejects.toMatchObject({ status: 422, type: 'transaction-failed' });
  expect(await refundsOf(rewards)).toEqual([]);
  expect((await rewards.holder(userId))?.badge ?? null).toBeNull();
});
