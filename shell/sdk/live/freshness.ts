import { QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSdk } from '../sdk';
import type { Store } from '../store';

export interface Timing {
  /** Refetch interval while it is on screen and the live stream is down, ms; never when omitted. */
  everyMs?: number;
  /** Maximum age when it comes on screen meanwhile, ms; `everyMs` by default. */
  staleMs?: number;
  /** The data also changes with time alone, without an event: the interval applies while the stream is open, too. */
  always?: boolean;
}

/** Query options that keep a query fresh. */
export interface Freshness {
  staleTime: () => number;
  refetchInterval: (query: PolledQuery) => number | false;
}

interface PolledQuery {
  state: { status: string; dataUpdatedAt: number; errorUpdatedAt: number };
}

/** Maximum share by which intervals are shortened at random, so that pages opened together spread out. */
const SPREAD = 0.1;
/** Maximum factor by which the interval grows while the query fails. */
const PATIENCE = 8;

/**
 * Returns options for a query that the live stream keeps current: `useQuery({ queryKey, queryFn, ...useFreshness({
 * everyMs }) })`. While the stream is open, only stale queries on screen are read; while it is down, the interval of
 * the contracts applies. A hidden or kept page never reads: the query library stops the interval.
 */
export function useFreshness({ everyMs, staleMs = everyMs ?? QUERY_STALE_MS, always = false }: Timing): Freshness {
  const { open } = useSdk().live;
  const interval = useInterval(everyMs ?? 0);
  const streams = () => open.get() && !always;
  return {
    staleTime: () => (streams() ? QUERY_STALE_MS : staleMs),
    refetchInterval: (query) => (streams() || everyMs === undefined ? false : interval(query)),
  };
}

/** Applies the intervals of all mounted queries again when the stream opens or closes, without a render. */
export function followStream(queries: QueryClient, open: Pick<Store<boolean>, 'listen'>): void {
  open.listen(() => {
    for (const { observers } of queries.getQueryCache().getAll())
      for (const observer of observers) observer.setOptions(observer.options);
  });
}

/** Returns the refetch interval, with or without the live stream: `everyMs`, spread over the pages, and longer while it fails. */
export function useInterval(everyMs: number): (query: PolledQuery) => number {
  const [share] = useState(() => 1 - SPREAD * Math.random());
  return (query) => patience(query, everyMs * share);
}

/** Wait before the next read, ms: the interval, or the time it has been failing if longer, up to the bound. */
function patience({ state }: PolledQuery, everyMs: number): number {
  if (state.status !== 'error') return everyMs;
  const failingMs = state.errorUpdatedAt - state.dataUpdatedAt;
  return Math.min(Math.max(everyMs, failingMs), everyMs * PATIENCE);
}
