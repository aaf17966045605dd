import { createLogger } from '@cord/kit/log';
import type { Relay } from '@cord/kit/outbox';
import { connectStore } from '@cord/kit/store';
import { createTestClock, randomId, startTestBackend, type TestBackend } from '@cord/kit/testing/index';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { NetworkAway, type Sighting, Unreadable, type WalletNetwork } from '../chain/wallet-network.js';
import type { ChainTransaction } from '../domain/payment.js';
import { openStore } from '../store.js';
import { createOrderStore, type StoredOrder } from './order-store.js';
import { createOrders } from './orders.js';
import { createPayments } from './payments.js';
import { createReconciler } from './reconciler.js';
import { createRefunds } from './refunds.js';
import { createUsedSignatures } from './signatures.js';

vi.setConfig({ testTimeout: 120_000 });

const NOON = Date.UTC(2026, 10, 18, 12);
const HOUR_MS = 3_600_000;
const log = createLogger('rewards', 'silent');

let backend: TestBackend;
let root: Connection;
/** A database for each round, so that nobody looks at another's orders. */
let connection: Connection;
beforeAll(async () => {
  backend = await startTestBackend();
  root = await connectStore(backend.mongodbUri, backend.dbName('rewards'), log);
});
let rounds = 0;
const newRound = () => {
  connection = root.useDb(backend.dbName(`rewards_${rounds++}`));
  books = undefined;
};
beforeEach(newRound);
afterAll(async () => {
  await root?.close();
  await backend?.stop();
});

/** The process is gone at this moment. */
class Crash extends Error {}

/** Counts what is done to the outside; at `dieAt` the process dies, before the step or right after it. */
class Fate {
  steps = 0;
  constructor(
    readonly dieAt: number,
    readonly after: boolean,
  ) {}

  /** The same object, each of its calls a step. */
  over<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value = Reflect.get(object, name);
        return typeof value === 'function' ? (...args: unknown[]) => this.step(() => value.apply(object, args)) : value;
      },
    });
  }

  async step<R>(run: () => R): Promise<Awaited<R>> {
    const mine = this.steps++;
    if (mine === this.dieAt && !this.after) throw new Crash();
    const result = await run();
    if (mine >= this.dieAt) throw new Crash();
    return result;
  }
}

/** A network from memory: what was sent, and whether it answers. */
function fakeNetwork() {
  const landed: { transaction: ChainTransaction; reference: string; final: boolean }[] = [];
  const network = {
    away: false,
    land(order: StoredOrder, signature: string, more: Partial<ChainTransaction> = {}, final = true) {
      const lamports = BigInt(order.lamports);
      const keys = ['payer', order.treasury, order.reference];
      const transaction: ChainTransaction = {
        signature,
        succeeded: true,
        blockTimeMs: order.createdAtMs + 10_000,
        signers: ['payer'],
        transfers: [{ from: 'payer', to: order.treasury, lamports, keys }],
        changes: new Map([[order.treasury, lamports]]),
        ...more,
      };
      landed.push({ transaction, reference: order.reference, final });
    },
    finalise() {
      for (const each of landed) each.final = true;
    },
    async sighting(signature: string): Promise<Sighting> {
      if (network.away) throw new NetworkAway('down');
      const found = landed.find(({ transaction }) => transaction.signature === signature);
      if (!found) return { kind: 'unseen' };
      return found.final ? { kind: 'final', transaction: found.transaction } : { kind: 'seen' };
    },
    async signaturesOf(reference: string): Promise<string[]> {
      if (network.away) throw new NetworkAway('down');
      return landed.filter((each) => each.reference === reference).map(({ transaction }) => transaction.signature);
    },
  };
  return network;
}

/** What the processes of a round share. */
async function openBooks() {
  return {
    store: await openStore(connection),
    orders: await createOrderStore(connection),
    refunds: await createRefunds(connection),
    signatures: createUsedSignatures(connection, 't'.repeat(64)),
  };
}
let books: ReturnType<typeof openBooks> | undefined;
function booksOfRound() {
  books ??= openBooks();
  return books;
}

/** One process of rewards, as far as badges go, on the shared store; `fate` may end it. */
async function processOf(
  network: WalletNetwork,
  clock: ReturnType<typeof createTestClock>,
  fate = new Fate(Number.POSITIVE_INFINITY, false),
) {
  const { store, orders, refunds, signatures } = await booksOfRound();
  const relay = { relayNow: async () => undefined } as unknown as Relay;
  const payments = createPayments({
    orders: fate.over(orders),
    refunds: fate.over(refunds),
    signatures: fate.over(signatures),
    network: fate.over(network),
    holders: fate.over(store.holders),
    relay,
    clock,
    log,
    onDecided: () => undefined,
  });
  const leases = { holder: 'x', acquire: async () => ({ name: 'x', leaseUntilMs: 0, release: async () => undefined }) };
  return {
    ...{ orders, refunds, payments },
    holder: (userId: string) => store.holders.get(userId),
    reconciler: createReconciler({ orders, payments, clock, leases, log }),
    creating: createOrders({
      orders,
      store,
      price: { quote: async () => ({ usd: 50, atMs: clock.now(), estimate: true }) },
      clock,
      treasury: 'treasury',
      lamports: 20_000_000,
    }),
  };
}

type Process = Awaited<ReturnType<typeof processOf>>;

/** Lets a new process do what falls due within the next hours. */
async function reconcile(rewards: Process, clock: ReturnType<typeof createTestClock>): Promise<void> {
  for (const seconds of [1, 1, 5, 10, 60, 180, 600, 1_200, 3_600]) {
    await clock.advance(seconds * 1_000);
    await rewards.reconciler.sweepOnce();
  }
}

/** Badges that were given to a user: each is an event of its own. */
const badgeEvents = async (rewards: Process, userId: string) =>
  ((await rewards.holder(userId))?.outbox ?? []).filter(({ subject }) => subject.includes('badge'));

/** Everything that is done, one process dying at each of its steps, before and after; returns how many deaths there were. */
async function atEachStep(run: (dieAt: number, after: boolean) => Promise<boolean>): Promise<number> {
  let deaths = 0;
  for (const after of [false, true]) {
    for (let dieAt = 0; ; dieAt += 1) {
      newRound();
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
      const dying = await processOf(network, clock, fate);
      const order = await dying.creating.create(userId, null);
      const signature = `paid-${userId}`;
      network.land(order, signature);
      const died = await dying.payments.handIn(order, signature).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await processOf(network, clock);
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
      const dying = await processOf(network, clock, new Fate(dieAt, after));
      const order = await dying.creating.create(userId, null);
      network.land(order, `found-${userId}`);
      const died = await dying.payments.look(order).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await processOf(network, clock);
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
      const dying = await processOf(network, clock, new Fate(dieAt, after));
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
      const next = await processOf(network, clock);
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
      const dying = await processOf(network, clock, new Fate(dieAt, after));
      const order = await dying.creating.create(userId, null);
      network.land(order, `late-${userId}`, { blockTimeMs: order.expiresAtMs + 1_000 });
      const died = await dying.payments.handIn(order, `late-${userId}`).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await processOf(network, clock);
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
      const dying = await processOf(network, clock, new Fate(dieAt, after));
      const order = await dying.creating.create(userId, null);
      const died = await dying.payments.handIn(order, `never-${userId}`).then(
        () => false,
        (err) => err instanceof Crash,
      );
      const next = await processOf(network, clock);
      await reconcile(next, clock);
      expect((await next.orders.get(order._id)).status).toBe('pending');
      expect((await next.holder(userId))?.badge ?? null).toBeNull();
      expect(await next.refunds.ofUser(userId)).toEqual([]);
      return died;
    });
    expect(deaths).toBeGreaterThanOrEqual(4);
  });
});

describe('the reconciler', () => {
  const purchase = async () => {
    const clock = createTestClock(NOON);
    const network = fakeNetwork();
    const rewards = await processOf(network, clock);
    const userId = randomId();
    const order = await rewards.creating.create(userId, null);
    const status = async () => (await rewards.orders.get(order._id)).status;
    return { clock, network, rewards, userId, order, status };
  };

  test('waits an hour for a network that is away, and then finds a payment that was made in time', async () => {
    const { clock, network, rewards, userId, order, status } = await purchase();
    network.away = true;
    expect(await rewards.payments.handIn(order, `slow-${userId}`)).toBe('verifying');
    network.land(order, `slow-${userId}`);
    await reconcile(rewards, clock);
    expect(await status()).toBe('sent');
    network.away = false;
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
    expect(await badgeEvents(rewards, userId)).toHaveLength(1);
  });

  test('is not held up by a payment that cannot be read', async () => {
    const { clock, network, rewards, order, status } = await purchase();
    const unreadable = await rewards.creating.create(randomId(), null);
    const { signaturesOf } = network;
    network.signaturesOf = async (reference) => {
      if (reference === unreadable.reference) throw new Unreadable('nonsense');
      return signaturesOf(reference);
    };
    network.land(order, 'beside-nonsense');
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
    expect((await rewards.orders.get(unreadable._id)).lookAtMs).toBeGreaterThan(clock.now() - 60_000);
  });

  test('waits for a transaction that is slow to be finalised', async () => {
    const { clock, network, rewards, order, status } = await purchase();
    network.land(order, 'slow-to-finalise', {}, false);
    await reconcile(rewards, clock);
    expect(await status()).toBe('sent');
    network.finalise();
    await reconcile(rewards, clock);
    expect(await status()).toBe('confirmed');
  });

  test('finds a late payment days after the order has expired, and no longer asks after a week', async () => {
    const { clock, network, rewards, userId, order, status } = await purchase();
    await clock.advance(3 * 24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    network.land(order, `days-${userId}`, { blockTimeMs: clock.now() });
    await clock.advance(7 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    expect(await status()).toBe('refund');
    await clock.advance(8 * 24 * HOUR_MS);
    await rewards.reconciler.sweepOnce();
    expect((await rewards.orders.get(order._id)).lookAtMs).toBeNull();
  });

  test('an erased buyer gets nothing, and a payment that still comes is listed without a person', async () => {
    const { clock, network, rewards, userId, order } = await purchase();
    await rewards.orders.erase(userId);
    network.land(order, `gone-${userId}`);
    await reconcile(rewards, clock);
    expect((await rewards.holder(userId))?.badge ?? null).toBeNull();
    expect(await rewards.orders.ofUser(userId)).toEqual([]);
    const listed = (await rewards.refunds.list('open')).filter(({ orderId }) => orderId === order._id);
    expect(listed).toMatchObject([{ userId: 'erased', reason: 'account-erased' }]);
  });
});
