import type { LeaderboardEntry } from '@cord/contracts/http/leaderboard';
import type { UserTask } from '@cord/contracts/http/tasks';
import { type Away, deviceStorage } from '@cord/sdk';
import { at, SAMPLE_NOW_MS, sampleMining, sampleUser, type TestSdk } from '@cord/sdk/testing';

const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Start of the absence: 9.25 hours ago, with a running node, at #31. */
export const LEFT_MS = SAMPLE_NOW_MS - 9.25 * HOUR_MS;
/** Paused eight hours later. */
export const PAUSED = sampleMining({
  startedAt: iso(LEFT_MS - 2 * HOUR_MS),
  earnings: 1_155,
  status: 'paused',
  leaseUntil: null,
  creditedUntil: iso(LEFT_MS + 8 * HOUR_MS),
});

export const AWAY: Away = {
  before: {
    userId: sampleUser().id,
    micro: 47_289_570_000n,
    atMs: LEFT_MS,
    session: { id: PAUSED.id, micro: 231_000_000n },
  },
  backMs: SAMPLE_NOW_MS,
};

export function miner(rank: number, userId: string, username: string): LeaderboardEntry {
  return {
    rank,
    userId,
    username,
    avatar: null,
    total_earned: 50_000 - rank,
    account_age: 4,
    is_node_active: true,
    daily_earnings: 100,
    weekly_earnings: 700,
    monthly_earnings: 3_000,
    period_earned: 50_000 - rank,
    hasbadgeofhonor: false,
    multiplier: 2.5,
  };
}

/** The user's rank with its neighbours. */
export function standing(rank: number, ...others: LeaderboardEntry[]) {
  const entry = miner(rank, sampleUser().id, sampleUser().username);
  return { entry, neighbours: [...others, entry].sort((a, b) => a.rank - b.rank) };
}

export const KOFI = miner(32, 'b'.repeat(32), 'kofi_b');
export const LENA = miner(33, 'c'.repeat(32), 'lena.w');

export function task(id: string, claimable: boolean): UserTask {
  return {
    id,
    type: 'daily',
    category: 'daily',
    title: id,
    description: '',
    reward: 122.5,
    maxProgress: 1,
    socialUrl: null,
    expiresAt: null,
    progress: 1,
    completed: false,
    claimable,
    claimedAt: null,
    visitedAt: null,
    availableAt: null,
  };
}

/** A device with a stored rank, and a server with changes since: a paused node, three overtaking miners, an open check-in and task. */
export function awayServer({ api }: Pick<TestSdk, 'api'>): void {
  deviceStorage.setItem(
    'cord.rank-seen',
    JSON.stringify({
      userId: sampleUser().id,
      seen: [{ atMs: LEFT_MS, rank: 31, behind: [KOFI.userId, LENA.userId] }],
    }),
  );
  api
    .on(at.mining.current, PAUSED)
    .on(at.mining.history, [PAUSED])
    .on(at.leaderboard.me, standing(34, KOFI, LENA))
    .on(at.checkin.history, [])
    .on(at.checkin.status, {
      canCheckIn: true,
      currentStreak: 12,
      nextCheckInTime: iso(SAMPLE_NOW_MS),
      dayKey: iso(SAMPLE_NOW_MS).slice(0, 10),
      nextReward: 50,
      nextBonus: 65,
      stats: { longestStreak: 19, totalCheckIns: 40 },
      excused: [],
    })
    .on(at.tasks.mine, [task('mine-1-hour', true), task('daily-checkin', true), task('invite-friends', false)]);
}
