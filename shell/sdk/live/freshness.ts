import { QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { useState } from 'react';
import { useSdk } from '../sdk';
import { useStore } from '../store';

export interface Timing {
  /** How often it is read again while it is looked at and the live stream is away, ms; left out for never. */
  everyMs?: number;
  /** How old it may be when it comes on screen meanwhile, ms; as `everyMs` by default. */
  staleMs?: number;
  /** It also changes with time alone, of which no event informs: the interval holds while the live stream stands, too. */
  always?: boolean;
}

/** The part of a query's options that keeps it fresh. */
export interface Freshness {
  staleTime: number;
  refetchInterval: ((query: PolledQuery) => number) | false;
}

interface PolledQuery {
  state: { status: string; dataUpdatedAt: number; errorUpdatedAt: number };
}

/** Intervals are shortened by up to this part, so that those who began together do not go on together. */
const SPREAD = 0.1;
/** While it fails it is probed ever less, down to this part as often. */
const PATIENCE = 8;

/**
 * How a query is kept fresh that the live stream keeps current: `useQuery({ queryKey, queryFn, ...useFreshness({ everyMs }) })`. While the stream stands, nothing
 * is read at intervals, and what is marked as old is read when it is on screen; while it is away, the interval of the contracts holds. A page that
 * is hidden or kept never reads: the query library stops the interval by itself.
 */
export function useFreshness({ everyMs, staleMs = everyMs ?? QUERY_STALE_MS, always = false }: Timing): Freshness {
  const streaming = useStore(useSdk().live.open) && !always;
  const interval = useInterval(everyMs ?? 0);
  if (streaming || everyMs === undefined)
    return { staleTime: streaming ? QUERY_STALE_MS : staleMs, refetchInterval: false };
  return { staleTime: staleMs, refetchInterval: interval };
}

/** How long a query waits until it is read again, whether the live stream stands or not: `everyMs`, spread over the pages, and longer while it fails. */
export function useInterval(everyMs: number): (query: PolledQuery) => number {
  const [share] = useState(() => 1 - SPREAD * Math.random());
  return (query) => patience(query, everyMs * share);
}

/** The wait before the next read, ms: the interval, and as long again as it has failed by now. */
function patience({ state }: PolledQuery, everyMs: number): number {
  if (state.status !== 'error') return everyMs;
  const failingMs = state.errorUpdatedAt - state.dataUpdatedAt;
  return Math.min(Math.max(everyMs, failingMs), everyMs * PATIENCE);
}
