import { createTestClock, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test } from 'vitest';
import { ERASED, ORDER_MS } from '../domain/orders.js';
import { fakeNetwork, openDesks } from '../test/desks.js';

const NOON = Date.UTC(2026, 10, 18, 12);

const desks = forAllTests(() => openDesks());
beforeEach(() => desks.newRound());

describe('an account that is deleted in the middle of a call', () => {
  test.each([
    ['in time', 10_000, 'account-erased'],
    ['too late', ORDER_MS + 60_000, 'order-expired'],
  ])('is not named by the refund of a payment that comes %s', async (_, afterMs, reason) => {
    const clock = createTestClock(NOON);
    const network = fakeNetwork();
    const rewards = await desks.process(network, clock);
    const userId = randomId();
    const order = await rewards.creating.create(userId, null);
    network.land(order, `paid-${userId}`, { blockTimeMs: order.createdAtMs + afterMs });
    await clock.advance(afterMs);
    const { sighting } = network;
    network.sighting = async (signature) => {
      await rewards.erase(userId);
      return sighting(signature);
    };
    expect(await rewards.payments.handIn(order, `paid-${userId}`)).toBe(reason);
    expect(await rewards.refunds.list({ status: null, after: null, limit: 10 })).toMatchObject([
      { userId: ERASED, orderId: order._id, reason, lamports: 20_000_000, status: 'open' },
    ]);
  });

  test('gets no order', async () => {
    const clock = createTestClock(NOON);
    const rewards = await desks.process(fakeNetwork(), clock);
    const userId = randomId();
    const { quote } = rewards.price;
    rewards.price.quote = async () => {
      await rewards.erase(userId);
      return quote();
    };
    await expect(rewards.creating.create(userId, null)).rejects.toMatchObject({ status: 422, type: 'account-erased' });
    expect(await rewards.orders.ofUser(userId)).toEqual([]);
  });
});
