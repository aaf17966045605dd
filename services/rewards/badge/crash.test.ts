import { createTestClock, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test } from 'vitest';
import { badgeEvents, Crash, Fate, fakeNetwork, openDesks, type Process, reconcile } from '../test/desks.js';
import type { StoredOrder } from './order-store.js';

/** The first and the hardest of several similar purchases; the others run in `npm run proof -- crowds`. */
const inProof = test.runIf(process.env.PROOF === '1');
const NOON = Date.UTC(2026, 10, 18, 12);

const desks = forAllTests(() => openDesks());
beforeEach(() => desks.newRound());

interface Purchase {
  userId: string;
  order: StoredOrder;
  network: ReturnType<typeof fakeNetwork>;
}

/**
 * Repeats a purchase in which the process dies at each step, before and after it. Each time the next process does
 * what is due, and `mustBe` checks the result. The last round is not interrupted. @returns the number of deaths
 */
async function dyingAtEachStep(
  until: (dying: Process, purchase: Purchase) => Promise<unknown>,
  mustBe: (next: Process, purchase: Purchase) => Promise<void>,
): Promise<number> {
  let deaths = 0;
  for (const after of [false, true]) {
    for (let dieAt = 0; ; dieAt += 1) {
      desks.newRound();
      const clock = createTestClock(NOON);
      const network = fakeNetwork();
      const userId = randomId();
      const dying = await desks.process(network, clock, new Fate(dieAt, after));
      const purchase = { userId, order: await dying.creating.create(userId, null), network };
      const died = await until(dying, purchase).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await desks.process(network, clock);
      await reconcile(next, clock);
      await mustBe(next, purchase);
      if (!died) break;
      deaths += 1;
    }
  }
  return deaths;
}

describe('a crash at any step of a purchase', () => {
  test('leaves a paid order confirmed, with exactly one badge and no refund', async () => {
    const deaths = await dyingAtEachStep(
      async (dying, { network, order, userId }) => {
        network.land(order, `paid-${userId}`);
        await dying.payments.submit(order, `paid-${userId}`);
      },
      async (next, { order, userId }) => {
        const confirmed = { status: 'confirmed', transactionHash: `paid-${userId}` };
        expect(await next.orders.get(order._id)).toMatchObject(confirmed);
        expect((await next.holder(userId))?.badge?.orderId).toBe(order._id);
        expect(await badgeEvents(next, userId)).toHaveLength(1);
        expect(await next.refunds.ofUser(userId)).toEqual([]);
      },
    );
    expect(deaths).toBeGreaterThanOrEqual(8);
  });

  inProof('paid, without a report: the same from the look alone', async () => {
    const deaths = await dyingAtEachStep(
      async (dying, { network, order, userId }) => {
        network.land(order, `found-${userId}`);
        await dying.payments.look(order);
      },
      async (next, { order, userId }) => {
        expect((await next.orders.get(order._id)).status).toBe('confirmed');
        expect(await badgeEvents(next, userId)).toHaveLength(1);
      },
    );
    expect(deaths).toBeGreaterThanOrEqual(10);
  });

  test('leaves an order that was paid twice with one badge, confirmed by its payment, and exactly one refund', async () => {
    const deaths = await dyingAtEachStep(
      async (dying, { network, order, userId }) => {
        network.land(order, `one-${userId}`);
        network.land(order, `two-${userId}`);
        await dying.payments.submit(order, `two-${userId}`);
        await dying.payments.look(order);
      },
      async (next, { order, userId }) => {
        const final = await next.orders.get(order._id);
        const refunds = await next.refunds.ofUser(userId);
        expect(final.status).toBe('confirmed');
        expect(await badgeEvents(next, userId)).toHaveLength(1);
        expect(refunds).toMatchObject([{ reason: 'paid-twice', lamports: 20_000_000, status: 'open' }]);
        expect(refunds[0]?.signature).not.toBe(final.transactionHash);
        expect((await next.holder(userId))?.badge?.transaction).toBe(final.transactionHash);
      },
    );
    expect(deaths).toBeGreaterThanOrEqual(20);
  });

  inProof('paid too late: no badge, and the payment on the list exactly once', async () => {
    const deaths = await dyingAtEachStep(
      async (dying, { network, order, userId }) => {
        network.land(order, `late-${userId}`, { blockTimeMs: order.expiresAtMs + 1_000 });
        await dying.payments.submit(order, `late-${userId}`);
      },
      async (next, { order, userId }) => {
        expect((await next.orders.get(order._id)).status).toBe('refund');
        expect((await next.holder(userId))?.badge ?? null).toBeNull();
        expect(await next.refunds.ofUser(userId)).toMatchObject([{ reason: 'order-expired' }]);
      },
    );
    expect(deaths).toBeGreaterThanOrEqual(6);
  });

  inProof('not paid: no badge', async () => {
    const deaths = await dyingAtEachStep(
      (dying, { order, userId }) => dying.payments.submit(order, `never-${userId}`),
      async (next, { order, userId }) => {
        expect((await next.orders.get(order._id)).status).toBe('pending');
        expect((await next.holder(userId))?.badge ?? null).toBeNull();
        expect(await next.refunds.ofUser(userId)).toEqual([]);
      },
    );
    expect(deaths).toBeGreaterThanOrEqual(4);
  });
});
