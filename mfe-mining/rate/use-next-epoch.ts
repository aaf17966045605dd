import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import type { MiningSession } from '@cord/contracts/http/mining';
import { rateThen } from '@cord/contracts/rules/rate-then';
import { useQuery, useSdk } from '@cord/sdk';

export interface NextEpoch {
  /** ms since epoch. */
  startsMs: number;
  multiplier: number;
  /** CORD per minute from then on. */
  rate: number;
  /** Null until known. */
  name: string | null;
}

/** Returns the epoch that begins before the session's lease ends; null when none is known. */
export function useNextEpoch(session: MiningSession): NextEpoch | null {
  const { api } = useSdk();
  const { rateUntil, nextFactors, factors, leaseUntil } = session;
  const next = nextFactors !== null && nextFactors?.epochId !== factors.epochId ? nextFactors : null;
  const startsMs = rateUntil && next?.epochId ? Date.parse(rateUntil) : Number.POSITIVE_INFINITY;
  const inside = leaseUntil !== null && startsMs < Date.parse(leaseUntil);
  const at = rateUntil ?? '';
  const { data } = useQuery({
    queryKey: ['epoch-list', 'at', at],
    queryFn: ({ signal }) => api.call(rewardEndpoints.epochs, { query: { from: at, to: at }, signal }),
    enabled: inside,
  });
  if (!inside || !next) return null;
  return {
    startsMs,
    multiplier: next.epoch,
    rate: rateThen(session, startsMs).rate,
    name: data?.find(({ id }) => id === next.epochId)?.name ?? null,
  };
}
