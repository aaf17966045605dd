import type { Clock } from '@cord/kit/clock';
import type { Leases } from '@cord/kit/lease';
import type { Live } from '@cord/kit/live';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import type { Outbox } from '@cord/kit/outbox';
import type { Periodic } from '@cord/kit/periodic';
import type { Connection } from 'mongoose';
import { timed } from '../chain/timed.js';
import { createWalletNetwork } from '../chain/wallet-network.js';
import { type Config, shopOf } from '../config.js';
import type { SolPrice } from '../sol-price.js';
import type { RewardsStore } from '../store.js';
import { createOrderStore, type OrderStore } from './order-store.js';
import { createOrders, type Orders } from './orders.js';
import { createPayments, OUTCOMES, type Payments } from './payments.js';
import { createReconciler, type Reconciler } from './reconciler.js';
import { createRefundProofs } from './refund-proofs.js';
import { createRefunds, type Refunds } from './refunds.js';
import { createUsedSignatures } from './signatures.js';
import { createUnassignedPayments, type UnassignedPayments } from './unassigned.js';

/** The parts that handle purchases of the badge. */
export interface BadgeDesk {
  creating: Orders;
  orders: OrderStore;
  refunds: Refunds;
  /** Null without a wallet network: nothing can be ordered or proven. */
  proof: {
    payments: Payments;
    unassigned: UnassignedPayments;
    reconciler: Reconciler;
    refundProofs: Periodic;
  } | null;
}

export function openBadgeDesk(parts: {
  connection: Connection;
  settings: Config;
  store: RewardsStore;
  /** Outboxes of the holders, for their badges, and of the refunds. */
  outboxes: { holders: Outbox; refunds: Outbox };
  price: SolPrice;
  clock: Clock;
  leases: Leases;
  log: Log;
  metrics: Metrics;
  live: Pick<Live, 'send'>;
}): BadgeDesk {
  const { connection, settings, store, outboxes, price, clock, leases, log, metrics, live } = parts;
  const { BADGE_PRICE_LAMPORTS: lamports } = settings;
  const key = Buffer.from(settings.SIGNATURES_KEY, 'hex');
  const sendHint = (userId: string) => live.send('orders', userId, { seq: String(clock.now()) });
  const orders = createOrderStore(connection, sendHint);
  const refunds = createRefunds(connection, key, sendHint);
  const paid = shopOf(settings);
  const creating = createOrders({ orders, store, price, clock, treasury: paid?.treasury ?? null, lamports });
  if (!paid) return { creating, orders, refunds, proof: null };

  const decided = metrics.counter('cord_badge_payments_total');
  // Initialised to 0, so that an alert sees the first increase.
  for (const outcome of OUTCOMES) decided.inc({ outcome }, 0);
  const network = createWalletNetwork(paid.rpcUrl, clock, timed(metrics, 'payments'));
  const signatures = createUsedSignatures(connection, key);
  const payments = createPayments({
    ...{ orders, refunds, signatures, network, clock, log },
    outbox: outboxes.holders,
    holders: store.holders,
    onDecided: (outcome) => decided.inc({ outcome }),
  });
  return {
    ...{ creating, orders, refunds },
    proof: {
      payments,
      unassigned: createUnassignedPayments({ orders, signatures, network, payments }),
      reconciler: createReconciler({ orders, payments, clock, leases, log, metrics }),
      refundProofs: createRefundProofs({
        ...{ refunds, treasury: paid.treasury, network, outbox: outboxes.refunds },
        ...{ clock, leases, log, metrics },
      }),
    },
  };
}
