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

/** Query key of the running node. */
export function nodeKey(userId: string): readonly ['node', string] {
  return ['node', userId];
}

export interface NodeQuery {
  queryKey: ReturnType<typeof nodeKey>;
  meta: Register['queryMeta'];
  queryFn(context: { signal: AbortSignal }): Promise<MiningSession | null>;
}

/** The query of GET mining/current; the call renews the lease. */
export function nodeQuery(sdk: Pick<Sdk, 'api' | 'session' | 'clock'>, userId: string): NodeQuery {
  return {
    queryKey: nodeKey(userId),
    meta: { live: {} },
    queryFn: async ({ signal }) => {
      const sentMs = sdk.clock.now();
      const session = await sdk.api.call(miningEndpoints.current, { params: { id: userId }, signal });
      // The node was stopped elsewhere. Its earnings are in the record; without them the balance would drop.
      if (session === null && sdk.session.node.get()?.status === 'active') await refreshUser(sdk);
      if (sdk.session.state.get().user?.id === userId) sdk.session.observeNode(session, { asOfMs: sentMs });
      return session;
    },
  };
}

/**
 * Returns the mining session known to this browser, from any tab or response: null when idle, undefined while
 * unknown. It is read once and whenever the page gets focus; in between the live stream keeps it current.
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

/** Returns how a session earns, or null when it is ended or paused by its lease. */
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

/** Returns the earnings of a session up to a server time, credited and derived, micro-CORD. */
export function earnedBy(session: MiningSession, atMs: number): bigint {
  const accrual = accrualOf(session);
  return numberToMicro(session.earnings) + (accrual === null ? 0n : accruedMicro(accrual, atMs));
}

/** Whether the lease has run out, even if no response has shown it yet. */
export function isLeaseOver(session: MiningSession, nowMs: number): boolean {
  return session.leaseUntil !== null && nowMs >= Date.parse(session.leaseUntil);
}

/** Returns the id of the signed-in user, or null. */
export function useUserId(): string | null {
  return useSessionValue(({ user }) => user?.id ?? null);
}

/**
 * Returns one value of the session; the component renders again only when this value changes.
 * @param select returns a primitive or an unchanged part of the session: `useSessionValue(({ user }) => user?.rank)`
 */
export function useSessionValue<T>(select: (session: SessionState) => T): T {
  const { state } = useSdk().session;
  const get = () => select(state.get());
  return useSyncExternalStore(state.listen, get, get);
}
