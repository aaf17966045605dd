import { accruedMicro } from './interpolate';
import { accrualOf, useMiningSession } from './node';
import { useSdk } from './sdk';
import { useStore } from './store';
import { useServerNow } from './ticker';

export interface LiveBalance {
  /** Micro-CORD now; null while unknown. */
  micro: bigint | null;
  /** Whether the balance is growing now. */
  growing: boolean;
}

/** Returns the current balance: the server's value plus the node's earnings since, by the server's clock. */
export function useBalance(): LiveBalance {
  const known = useStore(useSdk().session.balance);
  const accrual = accrualOf(useMiningSession());
  const nowMs = useServerNow(accrual !== null);
  if (known === null) return { micro: null, growing: false };
  if (accrual === null) return { micro: known.micro, growing: false };
  // The balance may be newer than the last credit: GET /users settles the record to its own time.
  const sinceMs = Math.max(known.asOfMs, accrual.creditedUntilMs);
  const earned = accruedMicro({ ...accrual, creditedUntilMs: sinceMs }, nowMs);
  return { micro: known.micro + earned, growing: nowMs < accrual.leaseUntilMs };
}
