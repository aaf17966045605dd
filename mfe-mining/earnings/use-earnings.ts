import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as epochEndpoints from '@cord/contracts/addresses/epochs';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { EarningsOverTime, EarningsRange } from '@cord/contracts/http/mining';
import { DAY_MS, dayKey, nextDayStartMs } from '@cord/contracts/rules/days';
import { STATS_REFETCH_MS } from '@cord/contracts/rules/timings';
import {
  isUnread,
  LIVE_SOON_MS,
  useFreshness,
  useIsPast,
  useOnline,
  useQuery,
  useSdk,
  useSessionValue,
  useUserId,
} from '@cord/sdk';
import { useEffect, useMemo } from 'react';
import type { EpochSpan } from './epochs';
import { type KnownStreak, type Period, periodsOf } from './periods';

/** Number of check-in days to read: those of the longest range by day. */
const HISTORY_DAYS = 30;

/** The earnings of a range with all data to render. */
export interface Earnings {
  range: EarningsRange;
  answer: EarningsOverTime;
  periods: Period[];
  epochs: EpochSpan[];
  /** Null while unknown. */
  streak: KnownStreak | null;
  /** Time the account was opened, ms. */
  joinedMs: number;
  /** Time of the request, ms. */
  nowMs: number;
}

export interface EarningsState {
  /** Null while unknown. */
  earnings: Earnings | null;
  failed: boolean;
  fetching: boolean;
  /** Whether the data is outdated: the server is unreachable, or the read failed. */
  stale: boolean;
  reload(): void;
}

/** Returns the earnings by source. Read again at most once a minute while they change, and when a day begins. */
export function useEarnings(range: EarningsRange): EarningsState {
  const { api, clock } = useSdk();
  const joinedAt = useSessionValue(({ user }) => user?.join_date);
  const userId = useUserId();
  const online = useOnline();
  const fresh = useFreshness({ everyMs: STATS_REFETCH_MS });
  const query = useQuery({
    queryKey: ['earnings', userId, range],
    meta: { live: { balance: STATS_REFETCH_MS } },
    queryFn: async ({ signal }) => {
      const answer = await api.call(miningEndpoints.earnings, {
        params: { id: userId ?? '' },
        query: { range },
        signal,
      });
      return { answer, nowMs: clock.now() };
    },
    enabled: userId !== null,
    ...fresh,
  });
  const { data, isError, isFetching, refetch } = query;
  const { streak, reread } = useStreak();
  const epochs = useEpochsSince(data?.answer);

  const dayIsOver = useIsPast(data ? new Date(nextDayStartMs(data.nowMs)).toISOString() : null);
  useEffect(() => {
    if (!dayIsOver) return;
    void refetch();
    void reread();
  }, [dayIsOver, refetch, reread]);

  const joinedMs = joinedAt === undefined ? 0 : Date.parse(joinedAt);
  const earnings = useMemo(() => {
    if (data === undefined) return null;
    const { answer, nowMs } = data;
    return { range, answer, periods: periodsOf(answer, { streak, joinedMs, nowMs }), epochs, streak, joinedMs, nowMs };
  }, [data, range, streak, epochs, joinedMs]);
  return {
    earnings,
    failed: data === undefined && isUnread(query),
    fetching: isFetching,
    stale: data !== undefined && (!online || isError),
    reload: () => void refetch(),
  };
}

/** Returns the streak and the recent check-ins; null while unknown, also when Tasks does not respond: the rest is shown without them. */
function useStreak(): { streak: KnownStreak | null; reread(): Promise<unknown> } {
  const { api } = useSdk();
  const userId = useUserId();
  const about = { meta: { live: { checkin: LIVE_SOON_MS } }, enabled: userId !== null, ...useFreshness({}) };
  const params = { userId: userId ?? '' };
  const { data: days } = useQuery({
    queryKey: ['checkin', userId, 'days', HISTORY_DAYS],
    queryFn: ({ signal }) =>
      api.call(checkinEndpoints.history, { params, query: { days: String(HISTORY_DAYS) }, signal }),
    ...about,
  });
  // The key of Tasks, whose dashboard card uses the same query.
  const { data: status, refetch } = useQuery({
    queryKey: ['checkin', userId, 'status'],
    queryFn: ({ signal }) => api.call(checkinEndpoints.status, { params, signal }),
    ...about,
  });
  const streak = useMemo(() => (days && status ? { ...status, kept: days } : null), [days, status]);
  return { streak, reread: refetch };
}

/** Returns the epochs of the range: named in the earnings, with their ends from the epoch table. */
function useEpochsSince(answer: EarningsOverTime | undefined): EpochSpan[] {
  const { api, clock } = useSdk();
  const first = answer?.buckets[0]?.key;
  const from = answer?.unit === 'day' ? first : undefined;
  const { data } = useQuery({
    queryKey: ['epoch-list', 'since', from],
    queryFn: ({ signal }) =>
      api.call(epochEndpoints.epochs, { query: { from: from ?? '', to: dayKey(clock.now() + DAY_MS) }, signal }),
    enabled: from !== undefined,
    ...useFreshness({}),
  });
  return useMemo(() => {
    const ends = new Map(data?.map(({ id, endDate }) => [id, Date.parse(endDate)]));
    return (answer?.epochs ?? []).map(({ id, name, rewardsMultiplier, startDate }, index, all) => {
      const next = all[index + 1];
      const endMs = ends.get(id) ?? (next ? Date.parse(next.startDate) : null);
      return { id, name, factor: rewardsMultiplier, startMs: Date.parse(startDate), endMs };
    });
  }, [answer, data]);
}
