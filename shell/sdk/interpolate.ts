import { accrue } from '@cord/contracts/rules/rate';

/** One stretch of running: credited up to `creditedUntilMs`, derived after that. */
export interface Accrual {
  /** nano-CORD per minute. */
  rateNano: bigint;
  creditedUntilMs: number;
  /** End of the lease; the node earns nothing after it. */
  leaseUntilMs: number;
  /** The next rate, nano-CORD per minute, and its start, when the server has sent one. */
  next?: { rateNano: bigint; fromMs: number };
}

/**
 * Returns the micro-CORD earned since the last credit, by the server's clock, never by counting ticks. The server keeps a
 * remainder that the page does not know, so this is at most what the next save credits and a shown number never drops.
 */
export function accruedMicro(accrual: Accrual, nowMs: number): bigint {
  const { rateNano, creditedUntilMs, next } = accrual;
  const untilMs = Math.min(nowMs, accrual.leaseUntilMs);
  const turnMs = next === undefined ? untilMs : Math.max(creditedUntilMs, Math.min(next.fromMs, untilMs));
  const first = accrue({ rateNano, ms: length(creditedUntilMs, turnMs), carry: 0n });
  if (next === undefined) return first.micro;
  return first.micro + accrue({ rateNano: next.rateNano, ms: length(turnMs, untilMs), carry: first.carry }).micro;
}

/** Whole ms from one time to a later one. */
function length(fromMs: number, untilMs: number): number {
  return Math.max(0, Math.floor(untilMs - fromMs));
}
