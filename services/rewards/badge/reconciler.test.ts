import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { NetworkAway } from '../chain/wallet-network.js';
import { badgeEvents, openDesks, purchaseAt, reconcile } from '../test/desks.js';
import { WALK_BOUNDS } from './reference-walk.js';

const NOON = Date.UTC(2026, 10, 18, 12);
const HOUR_MS = 3_600_000;
const PATIENCE_MS = { timeout: 20_000, interval: 5 };

const desks = forAllTests(() => openDesks());
beforeEach(() => desks.newRound());

const purchase = (bounds = WALK_BOUNDS) => purchaseAt(desks, NOON, bounds);

describe('the reconciler', () => {
  test('finds a payment that was made in time, after the network was away for more than an hour', async () => {
    const { clock, network, rewards, userId, order, status } = await purchase();
    network.away = true;
    expect(await rewards.payments.submit(order, `slow-${userId}`)).toBe('verifying');
    network.land(order, `slow-${userId}`);
    await reconcile(rewards, clock);
    expect(await status()).toBe('sent');
    network.away = false;
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
    expect(await badgeEvents(rewards, userId)).toHaveLength(1);
  });

  test('queries only one batch of orders while the network is away, and then waits', async () => {
    const { clock, network, rewards } = await purchase();
    for (let n = 1; n < 20; n += 1) await rewards.creating.create(randomId(), null);
    network.away = true;
    const { signaturesOf } = network;
    let calls = 0;
    network.signaturesOf = (...of) => {
      calls += 1;
      return signaturesOf(...of);
    };
    await clock.advance(20_000);
    expect(await rewards.reconciler.sweepOnce()).toBe(0);
    expect(await rewards.reconciler.sweepOnce()).toBe(0);
    expect(calls).toBe(8);
    network.away = false;
    await clock.advance(20_000);
    expect(await rewards.reconciler.sweepOnce()).toBe(20);
  });

  test('is not blocked by orders for which the network never responds', async () => {
    const { clock, network, rewards, order, status } = await purchase();
    const silent = new Set<string>();
    for (let n = 0; n < 20; n += 1) silent.add((await rewards.creating.create(randomId(), null)).reference);
    const { signaturesOf } = network;
    network.signaturesOf = async (reference, page) => {
      if (silent.has(reference)) throw new NetworkAway('500');
      return signaturesOf(reference, page);
    };
    // The order that has waited longest is checked first.
    await rewards.orders.postpone(order._id, NOON + 30_000);
    network.land(order, 'behind-silence');
    await clock.advance(30_000);
    for (let second = 0; second < 30 && (await status()) !== 'confirmed'; second += 1) {
      await rewards.reconciler.sweepOnce();
      await clock.advance(1_000);
    }
    expect(await status()).toBe('confirmed');
  });

  test('queries orders with a payment first, and again and again, however many orders are unpaid', async () => {
    const { clock, network, rewards } = await purchase();
    for (let n = 1; n < 40; n += 1) await rewards.creating.create(randomId(), null);
    await clock.advance(20_000);
    const paid = await rewards.creating.create(randomId(), null);
    await rewards.payments.submit(paid, 'handed-in');
    await clock.advance(1_000);
    let goOn: () => void = () => undefined;
    const unpaid = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const looked: string[] = [];
    const { signaturesOf } = network;
    network.signaturesOf = async (reference, page) => {
      looked.push(reference);
      if (reference !== paid.reference) await unpaid;
      return signaturesOf(reference, page);
    };
    const first = rewards.reconciler.sweepOnce();
    await vi.waitFor(() => expect(looked.length).toBeGreaterThan(1), PATIENCE_MS);
    expect(looked[0]).toBe(paid.reference);
    // The first sweep still checks the others while the network is slow.
    network.land(paid, 'handed-in');
    await clock.advance(1_000);
    const second = rewards.reconciler.sweepOnce();
    await vi.waitFor(async () => expect((await rewards.orders.get(paid._id)).status).toBe('confirmed'), PATIENCE_MS);
    goOn();
    expect((await first) + (await second)).toBe(42);
  });

  test('queries an order without transactions less and less often: under 20 times until a week after its end', async () => {
    const { clock, network, rewards, order } = await purchase();
    const { signaturesOf } = network;
    let looks = 0;
    network.signaturesOf = (...of) => {
      looks += 1;
      return signaturesOf(...of);
    };
    await clock.advance(order.expiresAtMs - clock.now());
    for (let lookAtMs: number | null = clock.now(); lookAtMs !== null; ) {
      await clock.advance(Math.max(0, lookAtMs - clock.now()));
      expect(await rewards.reconciler.sweepOnce()).toBe(1);
      ({ lookAtMs } = await rewards.orders.get(order._id));
    }
    expect(clock.now()).toBeGreaterThan(order.expiresAtMs + 7 * 24 * HOUR_MS);
    expect(looks).toBeLessThan(20);
  });

  test('records a query at its start, so a payment made during a slow response is not counted as seen', async () => {
    const { clock, network, rewards, order } = await purchase();
    const { signaturesOf } = network;
    network.signaturesOf = (...of) => {
      clock.pass(HOUR_MS);
      return signaturesOf(...of);
    };
    await clock.advance(20_000);
    const beganMs = clock.now();
    expect(await rewards.reconciler.sweepOnce()).toBe(1);
    expect(await rewards.orders.get(order._id)).toMatchObject({ lookedAtMs: beganMs, lookAtMs: beganMs + 5_000 });
  });

  test('gives up a payment by the time of the query, so one that lands during a slow response is found', async () => {
    const { clock, network, rewards, userId, order, status } = await purchase();
    expect(await rewards.payments.submit(order, `late-${userId}`)).toBe('verifying');
    const { sighting } = network;
    network.sighting = async (signature) => {
      const seen = await sighting(signature);
      clock.pass(HOUR_MS);
      return seen;
    };
    await clock.advance(20_000);
    expect(await rewards.reconciler.sweepOnce()).toBe(1);
    expect(await status()).toBe('sent');
    network.sighting = sighting;
    await clock.advance(20_000);
    await rewards.reconciler.sweepOnce();
    expect(await status()).toBe('pending');
  });

  test('queries a submitted payment soon, even if the clock jumped ahead during the network’s response', async () => {
    const { clock, network, rewards, userId, order } = await purchase();
    const { sighting } = network;
    network.sighting = async (signature) => {
      const seen = await sighting(signature);
      clock.pass(24 * HOUR_MS);
      return seen;
    };
    expect(await rewards.payments.submit(order, `sent-${userId}`)).toBe('verifying');
    expect(await rewards.orders.get(order._id)).toMatchObject({ sentAtMs: NOON, lookAtMs: NOON + 1_000 });
  });

  test('queries an order at once if a clock ahead postponed it by longer than any order waits', async () => {
    const { clock, rewards, order } = await purchase();
    await rewards.orders.postpone(order._id, clock.now() + 24 * HOUR_MS);
    expect(await rewards.reconciler.sweepOnce()).toBe(0);
    await rewards.orders.postpone(order._id, clock.now() + 48 * HOUR_MS);
    expect(await rewards.reconciler.sweepOnce()).toBe(1);
    expect((await rewards.orders.get(order._id)).lookAtMs).toBe(clock.now() + 5_000);
  });

  test.each([
    [140, WALK_BOUNDS],
    [450, { page: 100, pages: 2, judged: 20 }],
    [12, { page: 2, pages: 1, judged: 1 }],
  ])('finds a payment behind %d other transactions that name its reference', async (dust, bounds) => {
    const { clock, network, rewards, order, status } = await purchase(bounds);
    const lamports = 1n;
    network.land(order, 'the-payment');
    for (let n = 0; n < dust; n += 1) {
      const transfers = [{ from: 'thief', to: 'thief', lamports, keys: ['thief', order.reference] }];
      network.land(order, `dust-${n}`, { signers: ['thief'], transfers, changes: new Map() });
    }
    for (let look = 0; look < dust * dust && (await status()) !== 'confirmed'; look += 1) {
      await clock.advance(20_000);
      await rewards.reconciler.sweepOnce();
    }
    expect(await status()).toBe('confirmed');
    for (let look = 0; look < dust * dust; look += 1) {
      await clock.advance(1_000);
      if ((await rewards.reconciler.sweepOnce()) === 0) break;
    }
    const { walk } = await rewards.orders.get(order._id);
    expect(walk).toEqual({ floor: `dust-${dust - 1}`, above: null, undecided: [] });
  });

  test('waits for a transaction that is finalised late', async () => {
    const { clock, network, rewards, order, status } = await purchase();
    network.land(order, 'slow-to-finalise', {}, false);
    await reconcile(rewards, clock);
    expect(await status()).toBe('sent');
    network.finalise();
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
  });

  test('finds a late payment days after the order expired, and stops after a week', async () => {
    const { clock, network, rewards, userId, order, status } = await purchase();
    await clock.advance(3 * 24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    network.land(order, `days-${userId}`, { blockTimeMs: clock.now() });
    await clock.advance(24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    expect(await status()).toBe('refund');
    await clock.advance(8 * 24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    expect((await rewards.orders.get(order._id)).lookAtMs).toBeNull();
  });

  test('gives an erased buyer nothing, and lists the refund of a later payment without a user', async () => {
    const { clock, network, rewards, userId, order } = await purchase();
    await rewards.erase(userId);
    network.land(order, `gone-${userId}`);
    await reconcile(rewards, clock);
    expect((await rewards.holder(userId))?.badge ?? null).toBeNull();
    expect(await rewards.orders.ofUser(userId)).toEqual([]);
    const listed = (await rewards.refunds.list({ status: 'open', after: null, limit: 500 })).filter(
      ({ orderId }) => orderId === order._id,
    );
    expect(listed).toMatchObject([{ userId: 'erased', reason: 'account-erased' }]);
  });
});
