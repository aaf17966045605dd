import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { AUDIT_LOG, openAuditLog } from '@cord/kit/audit-log';
import { createTestClock, randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeEach, describe, expect, test } from 'vitest';
import { data } from '../data.js';
import { ERASED, ORDER_MS } from '../domain/orders.js';
import { refundRoutes } from '../http/refunds.js';
import { Crash, Fate, fakeNetwork, openDesks, purchaseAt, reconcile } from '../test/desks.js';
import type { Refund } from './refunds.js';
import { createUsedSignatures } from './signatures.js';
import { createUnassignedPayments } from './unassigned.js';

type Handler = (call: object) => Promise<unknown>;

/** The handlers of refunds by their endpoint. */
function handlersOf(parts: Parameters<typeof refundRoutes>[1]) {
  const handlers = new Map<object, Handler>();
  const http = { route: (endpoint: object, handler: Handler) => handlers.set(endpoint, handler) };
  refundRoutes(http as never, parts);
  return handlers;
}

const NOON = Date.UTC(2026, 10, 18, 12);

const desks = forAllTests(() => openDesks());
beforeEach(() => desks.newRound());

describe('an account that is erased in the middle of a call', () => {
  test.each([
    ['in time', 10_000, 'account-erased'],
    ['too late', ORDER_MS + 60_000, 'order-expired'],
  ])('is not named by the refund of a payment that arrives %s', async (_, afterMs, reason) => {
    const { clock, network, rewards, userId, order } = await purchaseAt(desks, NOON);
    network.land(order, `paid-${userId}`, { blockTimeMs: order.createdAtMs + afterMs });
    await clock.advance(afterMs);
    const { sighting } = network;
    network.sighting = async (signature) => {
      await rewards.erase(userId);
      return sighting(signature);
    };
    expect(await rewards.payments.submit(order, `paid-${userId}`)).toBe(reason);
    expect(await rewards.refunds.list({ status: null, after: null, limit: 10 })).toMatchObject([
      { userId: ERASED, orderId: order._id, reason, lamports: 20_000_000, status: 'open' },
    ]);
  });

  test('is not named by the refund of a payment that a crashed process recorded', async () => {
    for (const after of [false, true]) {
      for (let dieAt = 0, died = true; died; dieAt += 1) {
        desks.newRound();
        const clock = createTestClock(NOON);
        const network = fakeNetwork();
        const dying = await desks.process(network, clock, new Fate(dieAt, after));
        const userId = randomId();
        const order = await dying.creating.create(userId, null);
        network.land(order, 'paid');
        const { sighting } = network;
        let erased = false;
        network.sighting = async (signature) => {
          network.sighting = sighting;
          await dying.erase(userId);
          erased = true;
          return sighting(signature);
        };
        died = await dying.payments.submit(order, 'paid').then(
          () => false,
          (err) => err instanceof Crash,
        );
        // Ends at the first call that the process never reaches.
        if (!erased) await dying.erase(userId);
        const next = await desks.process(network, clock);
        await reconcile(next, clock);
        expect(await next.refunds.list({ status: null, after: null, limit: 10 })).toMatchObject([{ userId: ERASED }]);
      }
    }
  });

  test('is not named by a refund that is proven meanwhile, and its refund is deleted once it is proven', async () => {
    const { clock, network, rewards, userId, order } = await purchaseAt(desks, NOON);
    network.land(order, 'late', { blockTimeMs: order.expiresAtMs + 1_000 });
    await clock.advance(ORDER_MS + 60_000);
    expect(await rewards.payments.submit(order, 'late')).toBe('order-expired');
    const all = () => rewards.refunds.list({ status: null, after: null, limit: 10 });
    const [{ _id: id = '', payer = '' } = {}] = await all();
    await rewards.refunds.note(id, { returnTransaction: 'back', returnedAtMs: clock.now(), note: 'By hand' });
    const read = (await rewards.refunds.get(id)) as Refund;
    await rewards.erase(userId, () => rewards.refunds.proven(read, clock.now()));
    const [left] = await all();
    expect(left).toMatchObject({ userId: ERASED, status: 'open', returnTransaction: 'back' });
    expect(left?.outbox).toBeUndefined();
    await rewards.refunds.proven(left as Refund, clock.now());
    expect(await all()).toEqual([]);
    // The returned amount is remembered.
    expect(await rewards.refunds.owedBy('back', payer)).toBe(20_000_000n);
    expect(await rewards.refunds.owedBy('back', 'another')).toBe(0n);
  });

  test('leaves no payer in an order proven meanwhile, and a second proof creates no refund', async () => {
    const { network, rewards, userId, order } = await purchaseAt(desks, NOON);
    network.land(order, 'paid');
    const { holders } = rewards.store;
    const { change } = holders;
    holders.change = async (id, step) => {
      const given = await change(id, step);
      await rewards.erase(userId);
      // Another process gives the badge as well, and marks the order after this one.
      holders.change = async () => 'given' as never;
      return given;
    };
    expect(await rewards.payments.submit(order, 'paid')).toBe('confirmed');
    const left = await rewards.orders.get(order._id);
    expect(left).toMatchObject({ userId: ERASED, status: 'confirmed', payer: null, transactionHash: null });
    expect(await rewards.payments.submit(order, 'paid')).toBe('confirmed');
    holders.change = change;
    expect(await rewards.orders.get(order._id)).toMatchObject({ payer: null, transactionHash: null });
    expect(await rewards.refunds.list({ status: null, after: null, limit: 10 })).toEqual([]);
  });

  test.each(['before it is counted', 'before it is written'])('gets no order if it is erased %s', async (when) => {
    const clock = createTestClock(NOON);
    const rewards = await desks.process(fakeNetwork(), clock);
    const userId = randomId();
    const { price, orders } = rewards;
    const [{ quote }, { insert }] = [price, orders];
    if (when === 'before it is counted')
      price.quote = async () => {
        await rewards.erase(userId);
        return quote();
      };
    else
      orders.insert = async (order) => {
        await rewards.erase(userId);
        await insert(order);
      };
    await expect(rewards.creating.create(userId, null)).rejects.toMatchObject({ status: 422, type: 'account-erased' });
    expect(await rewards.orders.ofUser(userId)).toEqual([]);
    expect(await rewards.holder(userId)).not.toHaveProperty('ordersAtMs');
  });
});

describe('the audit log', () => {
  /** Sets up a payment that arrived too late, and the operators who return it. */
  async function owed() {
    const { clock, network, rewards, userId, order } = await purchaseAt(desks, NOON);
    network.land(order, 'late', { blockTimeMs: order.expiresAtMs + 1_000 });
    await clock.advance(ORDER_MS + 60_000);
    await rewards.payments.submit(order, 'late');
    const { connection, refunds, store } = rewards;
    const [{ _id: id = '' } = {}] = await refunds.list({ status: null, after: null, limit: 10 });
    const audit = openAuditLog(connection, clock);
    const handlers = handlersOf({ refunds, proof: null, holders: store.holders, audit });
    return {
      ...{ clock, connection, refunds, userId, id, erase: rewards.erase },
      returns: (transaction: string) =>
        handlers.get(rewardEndpoints.returnRefund)?.({
          ...{ user: { id: 'boss' }, params: { id }, now: clock.now() },
          body: { returnTransaction: transaction.repeat(88), note: 'To their new wallet' },
        }),
      /** The details of the refund's audit entries. */
      async written() {
        const entries = await AUDIT_LOG.in(connection).find({ target: id }).toArray();
        return entries.map(({ detail }) => Object.keys(detail).sort());
      },
    };
  }

  test('has no return transaction or note of an erased account’s refund, whatever part is erased before the act', async () => {
    for (let erased = 0; erased <= data.length; erased += 1) {
      desks.newRound();
      const { connection, refunds, userId, returns, written } = await owed();
      const { get } = refunds;
      refunds.get = async (id) => {
        const found = await get(id);
        for (const { erase } of data.slice(0, erased)) await erase(connection, userId);
        return found;
      };
      await returns('6');
      for (const { erase } of data.slice(erased)) await erase(connection, userId);
      expect([erased, await written()]).toEqual([erased, [['returnedAtMs']]]);
    }
  });

  test('has no data of a payment recorded for an erased account, whatever part is erased before the act', async () => {
    for (let erased = 0; erased <= data.length; erased += 1) {
      desks.newRound();
      const { clock, network, rewards, userId, order } = await purchaseAt(desks, NOON);
      const { connection, orders, payments, refunds, store } = rewards;
      const transactionHash = '4'.repeat(88);
      const { treasury } = order;
      network.land(order, transactionHash, {
        transfers: [{ from: 'payer', to: treasury, lamports: BigInt(order.lamports), keys: ['payer', treasury] }],
      });
      const used = createUsedSignatures(connection, Buffer.alloc(32, 't'));
      const signatures: typeof used = {
        async claim(...claimed) {
          const taken = await used.claim(...claimed);
          for (const { erase } of data.slice(0, erased)) await erase(connection, userId);
          return taken;
        },
      };
      const unassigned = createUnassignedPayments({ orders, signatures, network, payments });
      const audit = openAuditLog(connection, clock);
      const handlers = handlersOf({ refunds, proof: { unassigned } as never, holders: store.holders, audit });
      const body = { userId, transactionHash, note: 'Paid from an exchange' };
      // Refused when its order is gone by then.
      await handlers
        .get(rewardEndpoints.recordRefund)?.({ user: { id: 'boss' }, body })
        .catch(() => undefined);
      for (const { erase } of data.slice(erased)) await erase(connection, userId);
      const entries = await AUDIT_LOG.in(connection).find().toArray();
      expect([erased, entries.map(({ detail }) => detail)]).toEqual([erased, [{}]]);
      const owed = await refunds.list({ status: null, after: null, limit: 10 });
      expect(owed.map((refund) => [refund.userId, refund.lamports])).toEqual([[ERASED, 20_000_000]]);
    }
  });

  test('has the return of an erased account’s payment until it is proven, and not after that', async () => {
    const { clock, refunds, userId, id, erase, returns, written } = await owed();
    await erase(userId);
    await returns('6');
    expect(await written()).toEqual([['note', 'returnTransaction', 'returnedAtMs']]);
    const noted = (await refunds.get(id)) as Refund;
    // Another operator reads the refund as it was before.
    refunds.get = async () => ({ ...noted, returnTransaction: null });
    await refunds.proven(noted, clock.now());
    expect(await written()).toEqual([['returnedAtMs']]);
    await expect(returns('5')).rejects.toMatchObject({ status: 409 });
    expect(await written()).toEqual([['returnedAtMs'], ['returnedAtMs']]);
  });
});
