import { accrue } from '@cord/contracts/rules/rate';

/** One stretch of running: what is credited up to `creditedUntilMs` is known, what follows is derived. */
export interface Accrual {
  /** nano-CORD per minute. */
  rateNano: bigint;
  creditedUntilMs: number;
  /** The node earns no further than this. */
  leaseUntilMs: number;
}

/**
 * Micro-CORD earned since the last credit, by the server's clock, never by counting ticks. The server keeps a remainder
 * that the page does not know, so this is at most what the next save credits: a number that shows it never drops.
 */
export function accruedMicro(accrual: Accrual, nowMs: number): bigint {
  const untilMs = Math.min(nowMs, accrual.leaseUntilMs);
  const ms = Math.max(0, Math.floor(untilMs - accrual.creditedUntilMs));
  return accrue({ rateNano: accrual.rateNano, ms, carry: 0n }).micro;
}
