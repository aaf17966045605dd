import type { Clock } from '@cord/kit/clock';
import type { SharedLeases } from '@cord/kit/lease';
import type { Log } from '@cord/kit/log';
import type { Metrics } from '@cord/kit/metrics';
import type { Relay } from '@cord/kit/outbox';
import { type Periodic, periodic, type Turn } from '@cord/kit/periodic';
import type { WalletNetwork } from '../chain/wallet-network.js';
import { WATCHED_MS } from '../domain/look-schedule.js';
import { bringsBack } from '../domain/payment.js';
import type { Refund, Refunds } from './refunds.js';

const SWEEP_EVERY_MS = 5_000;
const LEASE_MS = 15_000;
const BATCH = 8;
/** The first wait of a transaction that is not final; each further one is twice as long. */
const WAIT_MS_MIN = 5_000;
const WAIT_MS_MAX = 6 * 3_600_000;

/**
 * Proves on chain what admins have noted as returned: an admin's word is no proof, and a buyer is told of nothing less. What is not final, or
 * cannot be read, is looked for again for a week; what brings too little back is never proven.
 */
export function createRefundProofs(parts: {
  refunds: Refunds;
  network: Pick<WalletNetwork, 'sighting'>;
  relay: Pick<Relay, 'relayNow'>;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics;
}): Periodic {
  const { refunds, network, relay, clock, leases, log, metrics } = parts;

  async function lookFor(refund: Refund): Promise<void> {
    const { returnTransaction, payer } = refund;
    if (returnTransaction === null) return refunds.postpone(refund, null);
    const sighting = await network.sighting(returnTransaction).catch((err: unknown) => {
      log.warn({ err, refundId: refund._id }, 'a returned payment could not be looked for');
      return null;
    });
    if (sighting?.kind !== 'final') return refunds.postpone(refund, nextLookAtMs(refund, clock.now()));
    if (!bringsBack(sighting.transaction, payer, await refunds.owedBy(returnTransaction, payer))) {
      log.error({ refundId: refund._id }, 'a transaction that was noted as returned does not bring the payment back');
      return refunds.postpone(refund, null);
    }
    await refunds.proven(refund, clock.now());
    void relay.relayNow(refund._id);
  }

  const run = async ({ mine }: Turn) => {
    const due = await refunds.due(clock.now(), BATCH);
    for (const refund of due) {
      if (!(await mine())) return;
      await lookFor(refund);
    }
  };
  return periodic(
    { clock, log, leases, metrics },
    { name: 'refunds.prove', everyMs: SWEEP_EVERY_MS, leaseMs: LEASE_MS, run },
  );
}

function nextLookAtMs({ looks = 0, returnedAtMs }: Refund, nowMs: number): number | null {
  if (nowMs - (returnedAtMs ?? 0) > WATCHED_MS) return null;
  return nowMs + Math.min(WAIT_MS_MAX, WAIT_MS_MIN * 2 ** looks);
}
