import { accruedMicro } from './interpolate';
import { accrualOf, useMiningSession } from './node';
import { useSdk } from './sdk';
import { useStore } from './store';
import { useServerNow } from './ticker';

export interface LiveBalance {
  /** Micro-CORD now; null while unknown. */
  micro: bigint | null;
  /** Whether it grows by itself at the moment. */
  growing: boolean;
}

/** The balance of this second: the server's number and what the node has earned since, by the server's clock. */
export function useBalance(): LiveBalance {
  const known = useStore(useSdk().session.balance);
  const accrual = accrualOf(useMiningSession());
  const nowMs = useServerNow(accrual !== null);
  if (known === null) return { micro: null, growing: false };
  if (accrual === null) return { micro: known.micro, growing: false };
  // The balance may be newer than the last credit: the record of GET /users is settled to its own moment.
  const sinceMs = Math.max(known.asOfMs, accrual.creditedUntilMs);
  const earned = accruedMicro({ ...accrual, creditedUntilMs: sinceMs }, nowMs);
  return { micro: known.micro + earned, growing: nowMs < accrual.leaseUntilMs };
}
