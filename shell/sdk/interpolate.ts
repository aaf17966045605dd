import { accrue } from '@cord/contracts/rules/rate';

/** One stretch of running: what is credited up to `creditedUntilMs` is known, what follows is derived. */
export interface Accrual {
  /** nano-CORD per minute. */
  rateNano: bigint;
  creditedUntilMs: number;
  /** The node earns no further than this. */
  leaseUntilMs: number;
  /** The rate that follows, nano-CORD per minute, and its first moment, where the server has sent one. */
  next?: { rateNano: bigint; fromMs: number };
}

/**
 * Micro-CORD earned since the last credit, by the server's clock, never by counting ticks. The server keeps a remainder
 * that the page does not know, so this is at most what the next save credits: a number that shows it never drops.
 */
export function accruedMicro(accrual: Accrual, nowMs: number): bigint {
  const { rateNano, creditedUntilMs, next } = accrual;
  const untilMs = Math.min(nowMs, accrual.leaseUntilMs);
  const turnMs = next === undefined ? untilMs : Math.max(creditedUntilMs, Math.min(next.fromMs, untilMs));
  const first = accrue({ rateNano, ms: length(creditedUntilMs, turnMs), carry: 0n });
  if (next === undefined) return first.micro;
  return first.micro + accrue({ rateNano: next.rateNano, ms: length(turnMs, untilMs), carry: first.carry }).micro;
}

/** Whole ms from one moment to a later one. */
function length(fromMs: number, untilMs: number): number {
  return Math.max(0, Math.floor(untilMs - fromMs));
}
