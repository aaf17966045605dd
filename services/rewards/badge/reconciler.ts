import type { Clock } from '@cord/kit/clock';
import type { SharedLeases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import { periodic, type Turn } from '@cord/kit/periodic';
import { NetworkAway } from '../chain/wallet-network.js';
import type { OrderStore, StoredOrder } from './order-store.js';
import type { Payments } from './payments.js';

const SWEEP_EVERY_MS = 1_000;
/** Short, so that another replica goes on soon when this one is killed. */
const LEASE_MS = 5_000;
const BATCH = 64;
const AT_ONCE = 8;
/** Waits while the network is away. */
const AWAY_MS_MIN = 1_000;
const AWAY_MS_MAX = 30_000;
/** An order that cannot be looked at for a reason of its own must not stand in the others' way. */
const POSTPONED_MS = 60_000;

export interface Reconciler {
  /** Looks at the orders that are due. @returns how many were looked at */
  sweepOnce(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Finds payments that were not handed in, by the orders' references: tabs that were closed, nets that were lost, crashes of this
 * service, an hour without network. One replica at a time looks (lease); what it decides is safe to be decided twice.
 */
export function createReconciler(parts: {
  orders: OrderStore;
  payments: Payments;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics;
}): Reconciler {
  const { orders, payments, clock, leases, log, metrics } = parts;
  let awayMs = 0;
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  const lookAt = async (order: StoredOrder): Promise<boolean> => {
    try {
      await payments.look(order);
      return true;
    } catch (err) {
      if (err instanceof NetworkAway) throw err;
      log.warn({ err, orderId: order._id }, 'an order could not be looked at');
      await orders.postpone(order._id, clock.now() + POSTPONED_MS);
      return false;
    }
  };
  const sweep = async ({ lease }: Turn): Promise<number> => {
    if (clock.now() < awayUntilMs) return 0;
    const due = await orders.due(clock.now(), BATCH);
    if (due.length === 0 || !(await lease())) return 0;
    let looked = 0;
    try {
      for (let from = 0; from < due.length; from += AT_ONCE) {
        // Each look waits for the chain: several take as long as the lease.
        if (from > 0 && !(await lease())) break;
        const done = await Promise.allSettled(due.slice(from, from + AT_ONCE).map(lookAt));
        looked += done.filter((one) => one.status === 'fulfilled' && one.value).length;
        const failed = done.find((one) => one.status === 'rejected');
        if (failed) throw failed.reason;
      }
      awayMs = 0;
    } catch (err) {
      if (!(err instanceof NetworkAway)) throw err;
      if (awayMs === 0) log.warn({ err }, 'the wallet network is away; orders wait');
      awayMs = Math.min(AWAY_MS_MAX, Math.max(AWAY_MS_MIN, awayMs * 2));
      awayUntilMs = clock.now() + awayMs;
    }
    return looked;
  };
  const sweeps = periodic(
    { clock, log, leases, metrics },
    { name: 'orders.reconcile', everyMs: SWEEP_EVERY_MS, leaseMs: LEASE_MS, run: sweep },
  );
  return { sweepOnce: () => sweeps.inTurn(sweep), start: sweeps.start, stop: sweeps.stop };
}
