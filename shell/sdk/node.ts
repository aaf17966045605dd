import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { MiningSession } from '@cord/contracts/http/mining';
import { numberToMicro } from '@cord/contracts/rules/money';
import { rateThen } from '@cord/contracts/rules/rate-then';
import { NODE_REFETCH_MS, QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { type Register, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { type Accrual, accruedMicro } from './interpolate';
import { useFreshness } from './live/freshness';
import { type Sdk, useSdk } from './sdk';
import type { SessionState } from './session';
import { useStore } from './store';
import { refreshUser } from './user-record';

/** Key of the running node in the query cache. */
export function nodeKey(userId: string): readonly ['node', string] {
  return ['node', userId];
}

export interface NodeQuery {
  queryKey: ReturnType<typeof nodeKey>;
  meta: Register['queryMeta'];
  queryFn(context: { signal: AbortSignal }): Promise<MiningSession | null>;
}

/** The query of GET mining/current; a contact that renews the lease. */
export function nodeQuery(sdk: Pick<Sdk, 'api' | 'session' | 'clock'>, userId: string): NodeQuery {
  return {
    queryKey: nodeKey(userId),
    meta: { live: {} },
    queryFn: async ({ signal }) => {
      const sentMs = sdk.clock.now();
      const session = await sdk.api.call(miningEndpoints.current, { params: { id: userId }, signal });
      // Stopped elsewhere: what it earned until then is in the record. Without it the balance would fall to what was known before.
      if (session === null && sdk.session.node.get()?.status === 'active') await refreshUser(sdk);
      if (sdk.session.state.get().user?.id === userId) sdk.session.observeNode(session, { asOfMs: sentMs });
      return session;
    },
  };
}

/**
 * The mining session as this browser knows it, whichever tab or answer it came from: null when idle, undefined while unknown.
 * Reads it once and whenever the page is looked at; in between the live stream keeps it current.
 */
export function useMiningSession(): MiningSession | null | undefined {
  const sdk = useSdk();
  const userId = useUserId();
  useQuery({
    ...nodeQuery(sdk, userId ?? ''),
    enabled: userId !== null,
    ...useFreshness({ everyMs: NODE_REFETCH_MS, staleMs: QUERY_STALE_MS }),
    refetchOnWindowFocus: 'always',
  });
  return useStore(sdk.session.node);
}

/** How a session earns, or null when it does not: ended, or paused by its lease. */
export function accrualOf(session: MiningSession | null | undefined): Accrual | null {
  if (session?.status !== 'active') return null;
  const { rateUntil } = session;
  const then = rateUntil ? rateThen(session, Date.parse(rateUntil)) : session;
  return {
    ...(rateUntil && then !== session
      ? { next: { rateNano: BigInt(then.rateNano), fromMs: Date.parse(rateUntil) } }
      : {}),
    rateNano: BigInt(session.rateNano),
    creditedUntilMs: Date.parse(session.creditedUntil),
    leaseUntilMs: session.leaseUntil === null ? Number.POSITIVE_INFINITY : Date.parse(session.leaseUntil),
  };
}

/** What a session has earned by a moment of the server's clock: what is credited and what followed, micro-CORD. */
export function earnedBy(session: MiningSession, atMs: number): bigint {
  const accrual = accrualOf(session);
  return numberToMicro(session.earnings) + (accrual === null ? 0n : accruedMicro(accrual, atMs));
}

/** Whether the node has stood still since its lease ran out, though no answer has shown it yet. */
export function isLeaseOver(session: MiningSession, nowMs: number): boolean {
  return session.leaseUntil !== null && nowMs >= Date.parse(session.leaseUntil);
}

/** Id of the signed-in user, null when there is none. */
export function useUserId(): string | null {
  return useSessionValue(({ user }) => user?.id ?? null);
}

/**
 * One value of the session; the component is rendered again only when this value is another one.
 * @param select returns a primitive or a part of the session as it is: `useSessionValue(({ user }) => user?.rank)`
 */
export function useSessionValue<T>(select: (session: SessionState) => T): T {
  const { state } = useSdk().session;
  const get = () => select(state.get());
  return useSyncExternalStore(state.listen, get, get);
}
