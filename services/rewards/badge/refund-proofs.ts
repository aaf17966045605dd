import { inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { SharedLeases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import type { Outbox } from '@cord/kit/outbox';
import { type Periodic, periodic, type Turn } from '@cord/kit/periodic';
import { Unreadable, type WalletNetwork } from '../chain/wallet-network.js';
import { LOOK_WAIT_MS_MAX, WATCHED_MS } from '../domain/look-schedule.js';
import { isSince, returnsPayment } from '../domain/payment.js';
import type { Refund, Refunds } from './refunds.js';

const SWEEP_EVERY_MS = 5_000;
const LEASE_MS = 15_000;
const BATCH = 8;
/** First wait for a transaction that is not final, ms; it doubles each time. */
const WAIT_MS_MIN = 5_000;

/** A transaction that no node has seen within this time after it was noted does not exist: its blockhash is too old, ms. */
const UNSEEN_MS = 3_600_000;

/**
 * Proves returns noted by admins on the chain, because a note is no proof. A transaction that is not final or not readable is looked
 * up again for a week. The refund is opened again, with an alert, when the transaction is older than the payment, too small, not from
 * the treasury, failed or does not exist. Only a response of the network decides: while it is away the refund stays noted.
 */
export function createRefundProofs(parts: {
  refunds: Refunds;
  /** The current treasury; it may also return payments that a former one received. */
  treasury: string;
  network: Pick<WalletNetwork, 'sighting'>;
  outbox: Pick<Outbox, 'relayNow'>;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics;
}): Periodic {
  const { refunds, treasury, network, outbox, clock, leases, log, metrics } = parts;
  const disprovedCount = metrics?.counter('cord_refunds_disproved_total');

  async function lookFor(refund: Refund): Promise<void> {
    const { returnTransaction, payer } = refund;
    if (returnTransaction === null) return;
    // Read before the lookup, so that time passing during it does not delay the next one.
    const nowMs = clock.now();
    const sighting = await network.sighting(returnTransaction).catch((err: unknown) => {
      log.warn({ err, refundId: refund._id }, 'the transaction of a returned payment could not be looked up');
      return { kind: err instanceof Unreadable ? ('unreadable' as const) : ('away' as const) };
    });
    const transaction = sighting.kind === 'final' ? sighting.transaction : null;
    if (transaction && transaction.blockTimeMs !== null) {
      const owedLamports = await refunds.owedBy(returnTransaction, payer);
      const treasuries = [refund.treasury, treasury];
      const since = isSince(transaction.blockTimeMs, refund.paidAtMs ?? refund.atMs);
      if (!since || !returnsPayment(transaction, payer, owedLamports, treasuries)) return openAgain(refund);
      await refunds.proven(refund, clock.now());
      void outbox.relayNow(refund._id);
      return;
    }
    const waitedMs = nowMs - (refund.returnedAtMs ?? 0);
    const isOver = waitedMs > (sighting.kind === 'unseen' ? UNSEEN_MS : WATCHED_MS);
    if (sighting.kind !== 'away' && isOver) return openAgain(refund);
    await refunds.postpone(refund, nextLookAtMs(refund, waitedMs, nowMs));
  }

  async function openAgain(refund: Refund): Promise<void> {
    if (!(await refunds.disproved(refund, clock.now()))) return;
    disprovedCount?.inc();
    log.error(
      { refundId: refund._id },
      'the return transaction of a refund does not return the payment; the refund is open again',
    );
  }

  /** Looks up one due refund; each at most once per run, even after an error. */
  async function lookForDue(id: string): Promise<'left'> {
    const refund = await refunds.get(id);
    if (refund) await lookFor(refund);
    return 'left';
  }

  const run = (turn: Turn) =>
    inBatches(turn, BATCH, () => ({
      read: (most, takes) => refunds.due(clock.now(), most, takes),
      each: lookForDue,
    }));
  return periodic(
    { clock, log, leases, metrics },
    { name: 'refunds.prove', everyMs: SWEEP_EVERY_MS, leaseMs: LEASE_MS, run },
  );
}

/** Returns the time of the next lookup, at the latest when an unseen transaction counts as nonexistent. */
function nextLookAtMs({ looks = 0 }: Refund, waitedMs: number, nowMs: number): number {
  const waitMs = Math.min(LOOK_WAIT_MS_MAX, WAIT_MS_MIN * 2 ** looks);
  const leftMs = UNSEEN_MS + 1 - waitedMs;
  return nowMs + (leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs);
}
