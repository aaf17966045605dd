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

/** Days of check-ins that are requested: those of the longest range that is shown by day. */
const HISTORY_DAYS = 30;

/** The earnings of a range with all that is drawn of them. */
export interface Earnings {
  range: EarningsRange;
  answer: EarningsOverTime;
  periods: Period[];
  epochs: EpochSpan[];
  /** Null while it is unknown. */
  streak: KnownStreak | null;
  /** When the account was opened, ms. */
  joinedMs: number;
  /** When this was requested, ms. */
  nowMs: number;
}

export interface EarningsState {
  /** Null while it is not known. */
  earnings: Earnings | null;
  failed: boolean;
  fetching: boolean;
  /** What is shown is the last known: the server does not answer, or not this. */
  stale: boolean;
  reload(): void;
}

/** What came from where. Read again at most once a minute while something comes, and as a day begins. */
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

/** The streak and the check-ins of the last days; null while they are not known, also where Tasks does not answer: the rest stands without them. */
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
  // The key of Tasks, whose card on the dashboard reads the same.
  const { data: status, refetch } = useQuery({
    queryKey: ['checkin', userId, 'status'],
    queryFn: ({ signal }) => api.call(checkinEndpoints.status, { params, signal }),
    ...about,
  });
  const streak = useMemo(() => (days && status ? { ...status, kept: days } : null), [days, status]);
  return { streak, reread: refetch };
}

/** The epochs of the range: as the earnings name them, and from the table until when each holds. */
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
