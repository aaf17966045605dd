import type { LiveKind } from '@cord/contracts/live/kinds';
import { LEADERBOARD_REFETCH_MS, STATS_REFETCH_MS } from '@cord/contracts/rules/timings';

/** A query that an event makes old. */
export interface Stale {
  queryKey: readonly unknown[];
  /** Read again at most so often, ms: what a busy day tells of by the second is still read now and then. */
  everyMs: number;
}

const SOON_MS = 1_000;
const CALM_MS = 10_000;
/** Of the whole record only the rank and counts come no other way. */
const RECORD_MS = 2 * STATS_REFETCH_MS;

const user = (userId: string, everyMs = CALM_MS): Stale => ({ queryKey: ['user', userId], everyMs });

/**
 * What each kind of event makes old, by the first words of its keys in the query cache; only what is on screen is read again. The states
 * that an event carries itself are not in here (`apply.ts`). A kind that this table does not know changes nothing.
 */
export const STALE_BY_KIND: Readonly<Record<LiveKind, (userId: string) => readonly Stale[]>> = {
  balance: (userId) => [
    { queryKey: ['ledger', userId], everyMs: LEADERBOARD_REFETCH_MS },
    { queryKey: ['earnings', userId], everyMs: STATS_REFETCH_MS },
  ],
  node: (userId) => [
    { queryKey: ['node-stats', userId], everyMs: SOON_MS },
    { queryKey: ['history', userId], everyMs: CALM_MS },
  ],
  rate: (userId) => [{ queryKey: ['anticheat', userId], everyMs: CALM_MS }],
  user: (userId) => [
    { queryKey: ['settings', userId], everyMs: SOON_MS },
    { queryKey: ['support', 'mine', userId], everyMs: CALM_MS },
    { queryKey: ['auth', 'sessions', userId], everyMs: CALM_MS },
  ],
  tasks: (userId) => [{ queryKey: ['tasks', userId], everyMs: SOON_MS }, user(userId)],
  checkin: (userId) => [
    { queryKey: ['checkin', userId], everyMs: SOON_MS },
    { queryKey: ['tasks', userId], everyMs: SOON_MS },
    user(userId),
  ],
  referrals: (userId) => [{ queryKey: ['referrals', userId], everyMs: CALM_MS }, user(userId)],
  orders: (userId) => [
    { queryKey: ['badge-orders', userId], everyMs: SOON_MS },
    { queryKey: ['badge-purchases', userId], everyMs: SOON_MS },
    { queryKey: ['cord-claims', userId], everyMs: SOON_MS },
    { queryKey: ['compensation', userId], everyMs: SOON_MS },
    user(userId, SOON_MS),
  ],
  epoch: () => [],
  notices: (userId) => [
    { queryKey: ['notices', userId], everyMs: SOON_MS },
    // An answer of support is told so, and Settings may be open.
    { queryKey: ['support', 'mine', userId], everyMs: SOON_MS },
  ],
  stats: (userId) => [{ queryKey: ['leaderboard'], everyMs: LEADERBOARD_REFETCH_MS }, user(userId, RECORD_MS)],
  release: () => [],
};
