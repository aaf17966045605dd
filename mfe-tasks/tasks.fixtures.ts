import type { UserTask } from '@cord/contracts/http/tasks';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import {
  at,
  createTestSdk,
  SAMPLE_NOW_MS,
  sampleSettings,
  sampleUser,
  type TestSdk,
  type TestSdkOptions,
} from '@cord/sdk/testing';
import type { CheckinStatus } from './use-checkin';

const iso = (ms: number) => new Date(ms).toISOString();

export function sampleTask(changes: Partial<UserTask> & Pick<UserTask, 'id'>): UserTask {
  return {
    type: 'achievement',
    category: changes.type ?? 'achievement',
    title: 'A task',
    description: 'What there is to do.',
    reward: 525,
    maxProgress: 1,
    socialUrl: null,
    expiresAt: null,
    progress: 0,
    completed: false,
    claimable: false,
    claimedAt: null,
    visitedAt: null,
    availableAt: null,
    ...changes,
  };
}

export const TASKS: UserTask[] = [
  sampleTask({
    id: 'mine-1-hour',
    type: 'daily',
    title: 'Mine for 1 hour',
    description: 'Keep your node running for 60 minutes today.',
    reward: 122.5,
    maxProgress: 3_600,
    progress: 3_600,
    claimable: true,
  }),
  sampleTask({
    id: 'daily-checkin',
    type: 'daily',
    title: 'Daily check-in',
    description: 'Mirrors the check-in above. Pays once per UTC day.',
    reward: 115,
    claimable: true,
  }),
  sampleTask({
    id: 'weekly-mining',
    type: 'weekly',
    title: 'Mine 1,000 CORD this week',
    description: 'Counts from Monday 00:00 UTC.',
    reward: 700,
    maxProgress: 1_000,
    progress: 640.12,
  }),
  sampleTask({
    id: 'join-discord',
    type: 'social',
    title: 'Join the CORD server',
    description: 'Say hello in the miners’ channel.',
    reward: 280,
    socialUrl: 'https://discord.gg/cordmining',
  }),
  sampleTask({
    id: 'follow-x',
    type: 'social',
    title: 'Follow CORD on X',
    description: 'Open our page and follow it.',
    reward: 175,
    socialUrl: 'https://x.com/cordmining',
    visitedAt: iso(SAMPLE_NOW_MS - 60_000),
    progress: 1,
    claimable: true,
  }),
  sampleTask({
    id: 'social-media-master',
    title: 'Social media master',
    description: 'Complete all social tasks.',
    reward: 1_750,
    maxProgress: 3,
    progress: 1,
  }),
  sampleTask({
    id: 'join-telegram',
    type: 'social',
    title: 'Join the Telegram channel',
    description: 'News and maintenance notices.',
    reward: 210,
    socialUrl: 'https://t.me/cordmining',
    progress: 1,
    completed: true,
    claimedAt: iso(Date.UTC(2026, 9, 4, 12)),
  }),
  sampleTask({
    id: 'invite-friends',
    title: 'Invite 3 friends',
    description: 'Friends who signed in with your code.',
    maxProgress: 3,
    progress: 3,
    completed: true,
    claimedAt: iso(Date.UTC(2026, 9, 19, 12)),
  }),
  sampleTask({
    id: 'early-adopter',
    title: 'Early adopter',
    description: 'Your Discord account is 5 years old or more.',
    reward: 2_625,
    progress: 1,
    completed: true,
    claimedAt: iso(Date.UTC(2026, 9, 3, 12)),
  }),
];

export const CHECKIN: CheckinStatus = {
  canCheckIn: true,
  currentStreak: 12,
  nextCheckInTime: iso(SAMPLE_NOW_MS),
  dayKey: dayKey(SAMPLE_NOW_MS),
  nextReward: 50,
  nextBonus: 65,
  stats: { longestStreak: 19, totalCheckIns: 40 },
  excused: [],
};

export const CHECKED_IN: CheckinStatus = {
  ...CHECKIN,
  canCheckIn: false,
  currentStreak: 13,
  nextCheckInTime: '2026-11-22T00:00:00.000Z',
};

/** Returns the days before today, newest first; `missed` counts back from yesterday. */
export function checkedDays(days: number, missed: readonly number[] = []) {
  return Array.from({ length: days }, (_, index) => index + 1)
    .filter((daysAgo) => !missed.includes(daysAgo))
    .map((daysAgo) => ({
      dayKey: dayKey(SAMPLE_NOW_MS - daysAgo * DAY_MS),
      rewardAmount: 50,
      bonusAmount: Math.min((13 - daysAgo) * 5, 100),
      streak: 13 - daysAgo,
    }));
}

/** Returns consecutive days, newest first; the last was `lastAgo` days before today. */
export function keptDays(todayMs: number, days: number, lastAgo: number) {
  return Array.from({ length: days }, (_, index) => ({
    dayKey: dayKey(todayMs - (lastAgo + index) * DAY_MS),
    rewardAmount: 50,
    bonusAmount: Math.min((days - index) * 5, 100),
    streak: days - index,
  }));
}

/** An sdk with a tasks service. */
export function tasksSdk(tasks: UserTask[] = TASKS, options: TestSdkOptions = {}): TestSdk {
  const sdk = createTestSdk(options);
  sdk.api
    .on(at.tasks.mine, () => tasks)
    .on(at.checkin.status, CHECKIN)
    .on(at.checkin.history, checkedDays(12))
    .on(at.users.getSettings, sampleSettings())
    .on(at.checkin.stats, { currentStreak: 12, longestStreak: 19, totalCheckIns: 40, totalEarned: 4_180 })
    .on(at.tasks.visit, () => ({ success: true as const, visitedAt: iso(sdk.clock.now()) }))
    .on(at.tasks.complete, ({ params }) => ({
      success: true as const,
      reward: tasks.find(({ id }) => id === params?.taskId)?.reward ?? 0,
      newBalance: 48_336.07,
      updatedUser: { id: sampleUser().id, balanceSeq: '101', current_balance: 48_336.07 },
      pending: false,
    }))
    .on(at.checkin.perform, {
      success: true,
      rewardAmount: 50,
      bonusAmount: 65,
      newStreak: 13,
      newBalance: 48_328.57,
      updatedUser: {
        id: sampleUser().id,
        daily_checkin_claimed: true,
        serverTime: iso(sdk.clock.now()),
        balanceSeq: '102',
        current_balance: 48_328.57,
      },
      pending: false,
    });
  return sdk;
}
