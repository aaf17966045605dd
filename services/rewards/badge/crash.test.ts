import { createTestClock, randomId } from '@cord/kit/testing/index';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { badgeEvents, Crash, Fate, fakeNetwork, openDesks, reconcile } from '../test/desks.js';

vi.setConfig({ testTimeout: 120_000 });

const NOON = Date.UTC(2026, 10, 18, 12);

let desks: Awaited<ReturnType<typeof openDesks>>;
beforeAll(async () => {
  desks = await openDesks();
});
beforeEach(() => desks.newRound());
afterAll(() => desks?.close());

/** Everything that is done, one process dying at each of its steps, before and after; returns how many deaths there were. */
async function atEachStep(run: (dieAt: number, after: boolean) => Promise<boolean>): Promise<number> {
  let deaths = 0;
  for (const after of [false, true]) {
    for (let dieAt = 0; ; dieAt += 1) {
      desks.newRound();
      if (!(await run(dieAt, after))) break;
      deaths += 1;
    }
  }
  return deaths;
}

describe('rewards that dies at any step of a purchase', () => {
  test('paid: the badge exactly once, the order confirmed, nothing to return', async () => {
    const deaths = await atEachStep(async (dieAt, after) => {
      const clock = createTestClock(NOON);
      const network = fakeNetwork();
      const userId = randomId();
      const fate = new Fate(dieAt, after);
      const dying = await desks.process(network, clock, fate);
      const order = await dying.creating.create(userId, null);
      const signature = `paid-${userId}`;
      network.land(order, signature);
      const died = await dying.payments.handIn(order, signature).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await desks.process(network, clock);
      await reconcile(next, clock);
      expect(await next.orders.get(order._id)).toMatchObject({ status: 'confirmed', transactionHash: signature });
      expect((await next.holder(userId))?.badge?.orderId).toBe(order._id);
      expect(await badgeEvents(next, userId)).toHaveLength(1);
      expect(await next.refunds.ofUser(userId)).toEqual([]);
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(8);
  });

  test('paid, and nobody tells: the same from the look alone', async () => {
    const deaths = await atEachStep(async (dieAt, after) => {
      const clock = createTestClock(NOON);
      const network = fakeNetwork();
      const userId = randomId();
      const dying = await desks.process(network, clock, new Fate(dieAt, after));
      const order = await dying.creating.create(userId, null);
      network.land(order, `found-${userId}`);
      const died = await dying.payments.look(order).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await desks.process(network, clock);
      await reconcile(next, clock);
      expect((await next.orders.get(order._id)).status).toBe('confirmed');
      expect(await badgeEvents(next, userId)).toHaveLength(1);
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(10);
  });

  test('paid twice: one badge, and the other payment on the list exactly once', async () => {
    const deaths = await atEachStep(async (dieAt, after) => {
      const clock = createTestClock(NOON);
      const network = fakeNetwork();
      const userId = randomId();
      const dying = await desks.process(network, clock, new Fate(dieAt, after));
      const order = await dying.creating.create(userId, null);
      network.land(order, `one-${userId}`);
      network.land(order, `two-${userId}`);
      const died = await dying.payments.handIn(order, `two-${userId}`).then(
        () =>
          dying.payments.look(order).then(
            () => false,
            (err) => err instanceof Crash,
          ),
        (err) => err instanceof Crash,
      );
      const next = await desks.process(network, clock);
      await reconcile(next, clock);
      const final = await next.orders.get(order._id);
      const refunds = await next.refunds.ofUser(userId);
      expect(final.status).toBe('confirmed');
      expect(await badgeEvents(next, userId)).toHaveLength(1);
      expect(refunds).toMatchObject([{ reason: 'paid-twice', lamports: 20_000_000, status: 'open' }]);
      expect(refunds[0]?.signature).not.toBe(final.transactionHash);
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(20);
  });

  test('paid too late: no badge, and the payment on the list exactly once', async () => {
    const deaths = await atEachStep(async (dieAt, after) => {
      const clock = createTestClock(NOON);
      const network = fakeNetwork();
      const userId = randomId();
      const dying = await desks.process(network, clock, new Fate(dieAt, after));
      const order = await dying.creating.create(userId, null);
      network.land(order, `late-${userId}`, { blockTimeMs: order.expiresAtMs + 1_000 });
      const died = await dying.payments.handIn(order, `late-${userId}`).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await desks.process(network, clock);
      await reconcile(next, clock);
      expect((await next.orders.get(order._id)).status).toBe('refund');
      expect((await next.holder(userId))?.badge ?? null).toBeNull();
      expect(await next.refunds.ofUser(userId)).toMatchObject([{ reason: 'order-expired' }]);
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(6);
  });

  test('not paid: no badge', async () => {
    const deaths = await atEachStep(async (dieAt, after) => {
      const clock = createTestClock(NOON);
      const network = fakeNetwork();
      const userId = randomId();
      const dying = await desks.process(network, clock, new Fate(dieAt, after));
      const order = await dying.creating.create(userId, null);
      const died = await dying.payments.handIn(order, `never-${userId}`).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await desks.process(network, clock);
      await reconcile(next, clock);
      expect((await next.orders.get(order._id)).status).toBe('pending');
      expect((await next.holder(userId))?.badge ?? null).toBeNull();
      expect(await next.refunds.ofUser(userId)).toEqual([]);
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(4);
  });
});
