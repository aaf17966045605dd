import { createLogger } from '@cord/kit/log';
import { migrate } from '@cord/kit/migration/migrate';
import type { Outbox } from '@cord/kit/outbox';
import { isEvent } from '@cord/kit/outbox/items';
import { createTestClock, randomId, startTestStore } from '@cord/kit/testing/index';
import { singleReplicaLeases } from '@cord/kit/testing/single-replica-leases';
import type { Connection } from 'mongoose';
import { createOrderStore, type StoredOrder } from '../badge/order-store.js';
import { createOrders } from '../badge/orders.js';
import { createPayments } from '../badge/payments.js';
import { createReconciler } from '../badge/reconciler.js';
import { WALK_BOUNDS, type WalkBounds } from '../badge/reference-walk.js';
import { createRefunds } from '../badge/refunds.js';
import { createUsedSignatures } from '../badge/signatures.js';
import { NetworkAway, type Sighting, type WalletNetwork } from '../chain/wallet-network.js';
import { data } from '../data.js';
import type { ChainTransaction } from '../domain/payment.js';
import { openStore } from '../store.js';

export type Clock = ReturnType<typeof createTestClock>;

const log = createLogger('rewards', 'silent');

/** Simulates the death of the process. */
export class Crash extends Error {}

/** Counts calls to the outside; at `dieAt` the process dies, before the call or right after it. */
export class Fate {
  steps = 0;
  constructor(
    readonly dieAt: number,
    readonly after: boolean,
  ) {}

  /** Wraps an object so that each of its calls counts as a step. */
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

/** An in-memory wallet network with the sent transactions; it can be set away. */
export function fakeNetwork() {
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
    async signaturesOf(
      reference: string,
      { before, limit }: { before: string | null; limit: number },
    ): Promise<string[]> {
      if (network.away) throw new NetworkAway('down');
      const all = landed.filter((each) => each.reference === reference).map(({ transaction }) => transaction.signature);
      all.reverse();
      const from = before === null ? 0 : all.indexOf(before) + 1;
      return all.slice(from, from + limit);
    },
  };
  return network;
}

/** Opens badge processes of rewards on one store. Each round has a database of its own, so that it sees no orders of other rounds. */
export async function openDesks() {
  const backend = await startTestStore();
  let rounds = 0;
  let books = openBooks(backend.store);
  return {
    newRound() {
      rounds += 1;
      books = openBooks(backend.store.useDb(backend.dbName(`rewards_${rounds}`)));
    },
    /** Starts a process that `fate` may end. */
    process: async (
      network: WalletNetwork,
      clock: Clock,
      fate = new Fate(Number.POSITIVE_INFINITY, false),
      bounds = WALK_BOUNDS,
    ) => processOf(await books, network, clock, fate, bounds),
    stop: backend.stop,
  };
}

/** The stores shared by the processes of a round. */
async function openBooks(connection: Connection) {
  await migrate(connection, data);
  return {
    connection,
    store: openStore(connection),
    orders: createOrderStore(connection),
    refunds: createRefunds(connection, Buffer.alloc(32, 't')),
    signatures: createUsedSignatures(connection, Buffer.alloc(32, 't')),
    /** @param afterEachWrite simulates another process in the middle of the erasure of refunds */
    async erase(userId: string, afterEachWrite?: () => Promise<void>) {
      const store = afterEachWrite ? interrupted(connection, afterEachWrite) : connection;
      for (const { erase } of data) await erase(store, userId);
    },
  };
}

/** Returns a connection that runs a callback after each erasing write to refunds. */
function interrupted(connection: Connection, afterEachWrite: () => Promise<void>): Connection {
  type Call = (...args: unknown[]) => unknown;
  const over = <T extends object>(target: T, wrap: (name: string | symbol, call: Call) => Call) =>
    new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name);
        return typeof value === 'function' ? wrap(name, value.bind(object)) : value;
      },
    });
  const refunds = over(connection.collection('refunds'), (name, call) => async (...args) => {
    const result = await call(...args);
    if (name === 'deleteMany' || name === 'updateMany') await afterEachWrite();
    return result;
  });
  return over(connection, (name, call) => (...args) => {
    return name === 'collection' && args[0] === 'refunds' ? refunds : call(...args);
  });
}

function processOf(
  books: Awaited<ReturnType<typeof openBooks>>,
  network: WalletNetwork,
  clock: Clock,
  fate: Fate,
  bounds: WalkBounds,
) {
  const { connection, store, orders, refunds, signatures, erase } = books;
  // Events stay in the outbox, where the tests count them.
  const outbox = { relayNow: async () => undefined } as unknown as Outbox;
  const payments = createPayments({
    orders: fate.over(orders),
    refunds: fate.over(refunds),
    signatures: fate.over(signatures),
    network: fate.over(network),
    holders: fate.over(store.holders),
    outbox,
    clock,
    log,
    onDecided: () => undefined,
    bounds,
  });
  const leases = singleReplicaLeases();
  const price = { quote: async () => ({ usd: 50, atMs: clock.now(), estimate: true }) };
  return {
    ...{ connection, store, orders, refunds, signatures, payments, price, erase },
    holder: (userId: string) => store.holders.get(userId),
    reconciler: createReconciler({ orders, payments, clock, leases, log }),
    creating: createOrders({
      orders,
      store,
      price,
      clock,
      treasury: 'treasury',
      lamports: 20_000_000,
    }),
  };
}

export type Process = ReturnType<typeof processOf>;

/** Runs everything that falls due within the next hours. */
export async function reconcile(rewards: Process, clock: Clock): Promise<void> {
  for (const seconds of [1, 1, 5, 10, 60, 180, 600, 1_200, 3_600]) {
    await clock.advance(seconds * 1_000);
    await rewards.reconciler.sweepOnce();
  }
}

/** Returns the badge events of a user, one per granted badge. */
export const badgeEvents = async (rewards: Process, userId: string) =>
  ((await rewards.holder(userId))?.outbox ?? []).filter(isEvent).filter(({ subject }) => subject.includes('badge'));

/** Creates a buyer with one order, on a network of its own. */
export async function purchaseAt(desks: Awaited<ReturnType<typeof openDesks>>, nowMs: number, bounds = WALK_BOUNDS) {
  const clock = createTestClock(nowMs);
  const network = fakeNetwork();
  const rewards = await desks.process(network, clock, undefined, bounds);
  const userId = randomId();
  const order = await rewards.creating.create(userId, null);
  const status = async () => (await rewards.orders.get(order._id)).status;
  return { clock, network, rewards, userId, order, status };
}
