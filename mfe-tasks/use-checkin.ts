import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import type { ResponseOf } from '@cord/contracts/calls';
import type { CheckinStatus } from '@cord/contracts/http/checkin';
import { dayKey, dayStartOf, nextDayStartMs } from '@cord/contracts/rules/days';
import { TASK_RELOAD_AFTER_CLAIM_MS } from '@cord/contracts/rules/timings';
import {
  isUnread,
  LIVE_SOON_MS,
  messageOf,
  type Sdk,
  useQuery,
  useRefreshUser,
  useSdk,
  useTexts,
  useUserId,
  useWrite,
} from '@cord/sdk';
import { payText } from './pay-text';
import { CHECKIN_TASK } from './task-view';
import { TEXTS } from './texts';
import { patchTask, reloadLater } from './use-tasks';

export type { CheckinStatus };

type CheckinAnswer = ResponseOf<typeof checkinEndpoints.perform>;

export interface CheckedDay {
  dayKey: string;
  rewardAmount: number;
  bonusAmount: number;
  streak: number;
}

export interface Checkin {
  /** Undefined while loading or unknown. */
  status: CheckinStatus | undefined;
  /** Check-ins of the last days, newest first; undefined while unknown. */
  history: readonly CheckedDay[] | undefined;
  /** Why the data could not be loaded. */
  loadError: string | null;
  performing: boolean;
  /** Why the last check-in failed, until the next try. */
  performError: string | null;
  perform(): void;
  /** Whether status or history are being read. */
  reloading: boolean;
  reload(): void;
}

/** Five weeks. */
const HISTORY_DAYS = '35';

function statusKey(userId: string) {
  return ['checkin', userId, 'status'] as const;
}

function historyKey(userId: string) {
  return ['checkin', userId, 'history'] as const;
}

/** Returns the daily check-in: whether today is open, the streak, and its history. */
export function useCheckin(): Checkin {
  const t = useTexts(TEXTS);
  const sdk = useSdk();
  const { api, queries, clock } = sdk;
  const userId = useUserId() ?? '';
  const refreshUser = useRefreshUser();
  const params = { userId };
  const status = useQuery({
    queryKey: statusKey(userId),
    meta: { live: { checkin: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(checkinEndpoints.status, { params, signal }),
    enabled: userId !== '',
    refetchOnWindowFocus: 'always',
    // A new UTC day opens the next check-in, or changes the pay of an open one, without a reload.
    refetchInterval: ({ state: { data } }) => data !== undefined && msUntil(changesAtMs(data), sdk.clock.now()),
  });
  const history = useQuery({
    queryKey: historyKey(userId),
    meta: { live: { checkin: LIVE_SOON_MS } },
    queryFn: ({ signal }) => api.call(checkinEndpoints.history, { params, query: { days: HISTORY_DAYS }, signal }),
    enabled: userId !== '',
  });
  const mutation = useWrite(
    // The day is part of the input: yesterday's key would return yesterday's response.
    (to, _day: string, idempotencyKey) => {
      if (userId === '') throw new Error(t.userNotFound);
      return to.call(checkinEndpoints.perform, { body: { userId }, idempotencyKey });
    },
    {
      key: ['checkin', 'perform', userId],
      // Also after a refusal: a check-in on another device makes this data stale.
      refresh: [['checkin', userId]],
      onDone(answer) {
        sdk.session.merge(answer.updatedUser);
        // A response that arrives after midnight may be for the day before: today is still open.
        const { daily_checkin_claimed: isClaimed, serverTime } = answer.updatedUser;
        if (isClaimed && serverTime?.startsWith(dayKey(sdk.clock.now()))) showCheckedIn(sdk, userId, answer);
        void refreshUser();
        reloadLater(sdk, userId, TASK_RELOAD_AFTER_CLAIM_MS);
      },
      onFailed: () => reloadLater(sdk, userId, TASK_RELOAD_AFTER_CLAIM_MS),
      toast: {
        done: ({ rewardAmount, bonusAmount, newStreak }) => ({
          kind: 'success',
          title: t.checkinDone,
          text: t.checkinDoneText({
            reward: payText(rewardAmount),
            bonus: payText(bonusAmount),
            streak: t.daysOf({ count: newStreak }),
          }),
        }),
        failed: () => ({ kind: 'error', title: t.checkinFailed, text: t.checkinFailedText }),
      },
    },
  );

  return {
    status: status.data,
    history: history.data,
    loadError: isUnread(status)
      ? messageOf(status.error, t.statusFailed)
      : isUnread(history)
        ? messageOf(history.error, t.historyFailed)
        : null,
    performing: mutation.isPending,
    performError: mutation.error ? messageOf(mutation.error, t.performFailed) : null,
    perform: () => mutation.press(dayKey(clock.now())),
    reloading: status.isFetching || history.isFetching,
    reload: () => void queries.refetchQueries({ queryKey: ['checkin', userId] }),
  };
}

/** Updates the caches at once, so that a paid reward is not offered before the refetch. */
function showCheckedIn(sdk: Sdk, userId: string, answer: CheckinAnswer): void {
  const nowMs = sdk.clock.now();
  sdk.queries.setQueryData<CheckinStatus>(
    statusKey(userId),
    (status) =>
      status && {
        ...status,
        canCheckIn: false,
        currentStreak: answer.newStreak,
        nextCheckInTime: new Date(nextDayStartMs(nowMs)).toISOString(),
        dayKey: dayKey(nowMs),
        nextReward: answer.rewardAmount,
        nextBonus: answer.bonusAmount,
        stats: { ...status.stats, longestStreak: Math.max(status.stats.longestStreak, answer.newStreak) },
      },
  );
  patchTask(sdk, userId, CHECKIN_TASK, { completed: true, claimable: false });
}

const LONGEST_TIMER_MS = 3_600_000;
const SHORTEST_TIMER_MS = 1_000;
/** Refetch interval when a change is overdue, ms. */
const OVERDUE_MS = 30_000;

/** Returns when the status expires: an open day ends at the next UTC midnight. */
function changesAtMs({ canCheckIn, dayKey: day, nextCheckInTime }: CheckinStatus): number {
  return canCheckIn ? nextDayStartMs(dayStartOf(day)) : Date.parse(nextCheckInTime);
}

/** Returns the time until shortly after a deadline, within the range of a timer, ms. */
function msUntil(atMs: number, nowMs: number): number {
  const leftMs = atMs + 500 - nowMs;
  return leftMs <= 0 ? OVERDUE_MS : Math.min(Math.max(leftMs, SHORTEST_TIMER_MS), LONGEST_TIMER_MS);
}
