import { inBatches } from '@cord/kit/batches';
import type { Clock } from '@cord/kit/clock';
import type { SharedLeases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import type { Outbox } from '@cord/kit/outbox';
import { type Periodic, periodic, type Turn } from '@cord/kit/periodic';
import { Unreadable, type WalletNetwork } from '../chain/wallet-network.js';
import { LOOK_WAIT_MS_MAX, WATCHED_MS } from '../domain/look-schedule.js';
import { bringsBack, isSince } from '../domain/payment.js';
import type { Refund, Refunds } from './refunds.js';

const SWEEP_EVERY_MS = 5_000;
const LEASE_MS = 15_000;
const BATCH = 8;
/** The first wait of a transaction that is not final; each further one is twice as long. */
const WAIT_MS_MIN = 5_000;

/** A transaction that no node has seen for so long after it was noted is none: its blockhash is too old by far, ms. */
const UNSEEN_MS = 3_600_000;

/**
 * Proves on chain what admins have noted as returned: an admin's note is no proof, and a buyer sees nothing less. What is not final, or
 * cannot be read, is looked for again for a week. What is older, brings too little back, is not from the treasury, failed, or is nowhere opens the refund again, with an alert.
 * Only an answer of the network decides: while it is away a refund stays noted, however long.
 */
export function createRefundProofs(parts: {
  refunds: Refunds;
  /** The wallet that is paid today: it returns also what another one received before. */
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
    // Before the look: what the clock does during it makes the next look no later.
    const nowMs = clock.now();
    const sighting = await network.sighting(returnTransaction).catch((err: unknown) => {
      log.warn({ err, refundId: refund._id }, 'a returned payment could not be looked for');
      return { kind: err instanceof Unreadable ? ('unreadable' as const) : ('away' as const) };
    });
    const transaction = sighting.kind === 'final' ? sighting.transaction : null;
    if (transaction && transaction.blockTimeMs !== null) {
      const owedLamports = await refunds.owedBy(returnTransaction, payer);
      const treasuries = [refund.treasury, treasury];
      const since = isSince(transaction.blockTimeMs, refund.paidAtMs ?? refund.atMs);
      if (!since || !bringsBack(transaction, payer, owedLamports, treasuries)) return openAgain(refund);
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
    log.error({ refundId: refund._id }, 'a transaction that was noted as returned does not bring the payment back');
  }

  /** Once in a run, whatever comes of it. */
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

/** Also when the time is over after which what was not seen does not exist. */
function nextLookAtMs({ looks = 0 }: Refund, waitedMs: number, nowMs: number): number {
  const waitMs = Math.min(LOOK_WAIT_MS_MAX, WAIT_MS_MIN * 2 ** looks);
  const leftMs = UNSEEN_MS + 1 - waitedMs;
  return nowMs + (leftMs > 0 ? Math.min(waitMs, leftMs) : waitMs);
}
