import { inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { SharedLeases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import { periodic, type Turn } from '@cord/kit/periodic';
import { NetworkAway } from '../chain/wallet-network.js';
import type { OrderStore, Queue, StoredOrder } from './order-store.js';
import type { Payments } from './payments.js';

const SWEEP_EVERY_MS = 1_000;
/** Short, so that another replica takes over soon when this one is killed. */
const LEASE_MS = 5_000;
/** Number of orders checked in parallel. Each check waits for the chain; several batches may take as long as the lease. */
const BATCH = 8;
/** Backoff while the network is away, ms. */
const AWAY_MS_MIN = 1_000;
const AWAY_MS_MAX = 30_000;
/** Delay of an order that the network did not respond about, ms. It may fail for this order alone, so the others come first. */
const UNANSWERED_MS = 10_000;
/** Delay of an order that fails for a reason of its own, so that it does not block the others, ms. */
const POSTPONED_MS = 60_000;

export type Reconciler = ReturnType<typeof createReconciler>;

/**
 * Finds payments that were not handed in, by the orders' references: after closed tabs, lost connections, crashes or
 * network outages. One replica at a time does this (lease); a decision is safe to repeat. Orders whose payment is on
 * its way have a queue of their own and never wait for the others.
 */
export function createReconciler(parts: {
  orders: OrderStore;
  payments: Payments;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics;
}) {
  const { orders, payments, clock, leases, log, metrics } = parts;
  let awayMs = 0;
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  const sweep = async (queue: Queue, turn: Turn): Promise<number> => {
    let looked = 0;
    let away: unknown;
    /** Checks an order; each order at most once per run, even after an error. */
    const lookAt = async (order: StoredOrder): Promise<'left'> => {
      try {
        await payments.look(order);
        looked += 1;
      } catch (err) {
        if (err instanceof NetworkAway) away = err;
        else log.warn({ err, orderId: order._id }, 'an order could not be checked; retrying later');
        await orders.postpone(order._id, clock.now() + (err instanceof NetworkAway ? UNANSWERED_MS : POSTPONED_MS));
      }
      return 'left';
    };
    if (clock.now() < awayUntilMs) return 0;
    await inBatches(turn, BATCH, () =>
      away ? null : { read: (most, takes) => orders.due(queue, clock.now(), most, takes), each: lookAt },
    );
    if (away) {
      if (awayMs === 0) log.warn({ err: away }, 'the wallet network is unreachable; orders wait');
      awayMs = Math.min(AWAY_MS_MAX, Math.max(AWAY_MS_MIN, awayMs * 2));
      awayUntilMs = clock.now() + awayMs;
    } else if (looked > 0) awayMs = 0;
    return looked;
  };
  const sweepsOf = (queue: Queue, name: string) => {
    const run = (turn: Turn) => sweep(queue, turn);
    const sweeps = periodic({ clock, log, leases, metrics }, { name, everyMs: SWEEP_EVERY_MS, leaseMs: LEASE_MS, run });
    return { ...sweeps, once: () => sweeps.inTurn(run) };
  };
  const [sent, others] = [sweepsOf('sent', 'orders.sent'), sweepsOf('others', 'orders.reconcile')];
  return {
    /** Checks the orders that are due. @returns the number of orders checked */
    sweepOnce: async () => (await sent.once()) + (await others.once()),
    start() {
      sent.start();
      others.start();
    },
    async stop() {
      await Promise.all([sent.stop(), others.stop()]);
    },
  };
}
