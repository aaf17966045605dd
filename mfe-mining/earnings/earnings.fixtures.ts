import type { EarningsBucket, EarningsOverTime, EarningsRange } from '@cord/contracts/http/mining';
import { DAY_MS, dayKey, dayStartMs, monthKey } from '@cord/contracts/rules/days';
import { at, sampleMining, sampleUser, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { hoursOf } from '../hours/hours.fixtures';
import { miningSdk } from '../mining.fixtures';
import type { KnownStreak } from './periods';
import { sumOf } from './sources';

/** Friday 27 November 2026, 19:12 UTC: the time of the pictures. */
export const NOW_MS = Date.UTC(2026, 10, 27, 19, 12);
const JOINED_MS = Date.UTC(2026, 7, 4, 9, 30);
const EPOCH_CHANGE_MS = Date.UTC(2026, 10, 13, 1, 25);
const EPOCH_MS = 15 * DAY_MS;

/** Mining, tasks and commission of the last thirty days, oldest first. */
const MINED =
  '634.72 827.4 982.06 751.17 374.22 839.47 827.4 919.38 524.79 0 583.53 858.42 1002.96 823.2 748.44 1002.25 1183.18 1390.56 905.52 503.11 968.46 1046.66 919.38 1279.04 1463.61 923.42 876 919.38 781.01 874.96';
const TASKS =
  '122.5 122.5 122.5 822.5 0 122.5 122.5 122.5 122.5 0 822.5 122.5 122.5 122.5 122.5 122.5 122.5 822.5 122.5 0 122.5 122.5 122.5 122.5 822.5 122.5 297.5 122.5 822.5 122.5';
const COMMISSION =
  '12.4 15.08 9.77 18.31 11.02 14.6 20.15 17.92 8.44 6.1 13.37 16.85 22.71 19.04 25.5 24.13 28.9 31.46 21.72 17.06 26.38 30.01 27.44 33.9 36.12 29.83 41.27 34.05 38.39 18.42';
const numbers = (text: string) => text.split(' ').map(Number);
const [mined, tasks, commission] = [numbers(MINED), numbers(TASKS), numbers(COMMISSION)];
const DAYS = mined.length;
/** Streak day by index; null when missed, and for today, which is open. */
const streakAt = (index: number) => (index < 9 ? index + 2 : index < 11 || index === DAYS - 1 ? null : index - 10);

function sampleDay(index: number): EarningsBucket {
  const startMs = dayStartMs(NOW_MS) - (DAYS - 1 - index) * DAY_MS;
  const streak = streakAt(index);
  const parts = {
    mining: mined[index] ?? 0,
    checkin: streak === null ? 0 : 50 + 5 * streak,
    tasks: tasks[index] ?? 0,
    commission: commission[index] ?? 0,
    claims: index === DAYS - 4 ? 5_000 : 0,
  };
  const rate = 0.5 * 3.5 * (startMs >= EPOCH_CHANGE_MS - DAY_MS / 2 ? 1.1 : 1);
  const ranMs = Math.round((parts.mining / rate) * 60_000);
  return {
    key: dayKey(startMs),
    ...parts,
    total: sumOf(Object.values(parts)),
    ranMs,
    claimsBy: parts.claims === 0 ? {} : { compensation: parts.claims },
    tasksClaimed: parts.tasks === 0 ? 0 : parts.tasks > 200 ? 2 : 1,
  };
}

const zero = (key: string): EarningsBucket => ({
  ...{ key, mining: 0, checkin: 0, tasks: 0, commission: 0, claims: 0 },
  ...{ total: 0, ranMs: 0 },
});

function sampleMonth(index: number): EarningsBucket {
  const key = monthKey(Date.UTC(2025, 11 + index, 1));
  const parts = [
    [4_120, 980, 3_900, 60, 0],
    [4_980, 1_010, 1_060, 120, 0],
    [6_210, 1_500, 1_380, 210, 0],
    [23_270, 2_260, 6_617, 610, 5_000],
  ][index - 8];
  if (parts === undefined) return zero(key);
  const [mining = 0, checkin = 0, ofTasks = 0, fromFriends = 0, claims = 0] = parts;
  return {
    key,
    mining,
    checkin,
    tasks: ofTasks,
    commission: fromFriends,
    claims,
    total: sumOf(parts),
    ranMs: mining * 30_000,
  };
}

const EPOCHS = [
  { id: 'alpha', name: 'Epoch Alpha', rewardsMultiplier: 1, startMs: EPOCH_CHANGE_MS - EPOCH_MS },
  { id: 'beta', name: 'Epoch Beta', rewardsMultiplier: 1.1, startMs: EPOCH_CHANGE_MS },
];
const iso = (ms: number) => new Date(ms).toISOString();

/** Returns the mining service's response for these buckets. */
export function answerOf(range: EarningsRange, buckets: EarningsBucket[], counted = buckets.length): EarningsOverTime {
  const total = sumOf(buckets.map((bucket) => bucket.total));
  const best = buckets.reduce<EarningsBucket | null>(
    (most, each) => (each.total > (most?.total ?? 0) ? each : most),
    null,
  );
  return {
    range,
    unit: range === '12m' ? 'month' : 'day',
    buckets,
    total,
    average: Math.floor((total / counted) * 1e6) / 1e6,
    best: best && { key: best.key, total: best.total },
    epochs: EPOCHS.map(({ startMs, ...epoch }) => ({ ...epoch, startDate: iso(startMs) })),
  };
}

const MONTHS = 12;
const month = Array.from({ length: DAYS }, (_, index) => sampleDay(index));
const BY_RANGE: Readonly<Record<EarningsRange, EarningsOverTime>> = {
  '30d': answerOf('30d', month),
  '7d': answerOf('7d', month.slice(-7)),
  '12m': answerOf(
    '12m',
    Array.from({ length: MONTHS }, (_, index) => sampleMonth(index)),
    4,
  ),
};

const KEPT = month.flatMap(({ key }, index) => {
  const streak = streakAt(index);
  return streak === null ? [] : [{ dayKey: key, streak }];
});

/** Two days missed, kept since, today open. */
export const STREAK: KnownStreak = { kept: KEPT, currentStreak: 18, canCheckIn: true, excused: [] };

/** Yesterday has no check-in and is excused: the streak is that of the day before. */
export const EXCUSED_STREAK: KnownStreak = {
  ...STREAK,
  kept: KEPT.slice(0, -1),
  currentStreak: 17,
  excused: [{ dayKey: dayKey(NOW_MS - DAY_MS), reason: 'outage' }],
};

/** Sets the responses of Tasks about the streak. */
export function answerStreak({ api }: TestSdk, { kept, ...streak }: KnownStreak): void {
  api
    .on(
      at.checkin.history,
      [...kept].reverse().map((day) => ({ ...day, rewardAmount: 50, bonusAmount: 5 * day.streak })),
    )
    .on(at.checkin.status, {
      ...streak,
      nextCheckInTime: iso(NOW_MS),
      dayKey: dayKey(NOW_MS),
      nextReward: 50,
      nextBonus: 95,
      stats: { longestStreak: 18, totalCheckIns: 40 },
    });
}

/** Returns a range without earnings. */
export function emptied(range: EarningsRange): EarningsOverTime {
  return answerOf(
    range,
    BY_RANGE[range].buckets.map(({ key }) => zero(key)),
  );
}

/** Claims of a new user on adjacent days, each above the scale. */
export function claimedEarnings(): EarningsOverTime {
  const claims = [
    { welcome: 870, refbonus: 87 },
    { compensation: 5_000, refwelcome: 86 },
    { cordclaim: 10_000 },
  ] as const;
  const answer = newcomerEarnings();
  const buckets = answer.buckets.map((bucket, index) => {
    const claimsBy = claims[index - (DAYS - 3)];
    if (claimsBy === undefined) return bucket;
    const sum = sumOf(Object.values(claimsBy));
    return { ...bucket, claimsBy, claims: sum, total: sumOf([bucket.total, sum]) };
  });
  return answerOf('30d', buckets, 3);
}

/** An account of three days. */
export function newcomerEarnings(): EarningsOverTime {
  const buckets = month.map((bucket, index) => {
    const { key } = bucket;
    if (index < DAYS - 3) return zero(key);
    const parts =
      [
        [210, 55, 32.5],
        [318, 60, 35],
        [98, 0, 32.5],
      ][index - (DAYS - 3)] ?? [];
    const [mining = 0, checkin = 0, ofTasks = 0] = parts;
    return { ...zero(key), mining, checkin, tasks: ofTasks, total: sumOf(parts), ranMs: mining * 30_000 };
  });
  return answerOf('30d', buckets, 3);
}
export const NEWCOMER = sampleUser({ join_date: iso(Date.UTC(2026, 10, 25, 0, 40)) });

/** An sdk whose services return earnings, at the time of the pictures. */
export function earningsSdk(options: TestSdkOptions = {}, view = false): TestSdk {
  const sdk = miningSdk(sampleMining({ serverTime: iso(NOW_MS), creditedUntil: iso(NOW_MS), leaseUntil: null }), {
    user: sampleUser({ join_date: iso(JOINED_MS) }),
    nowMs: NOW_MS,
    ...options,
  });
  sdk.api
    .on(at.mining.earnings, ({ query }) => BY_RANGE[query?.range ?? '30d'])
    .on(at.mining.hours, ({ query }) => hoursOf(query?.day ?? ''))
    .on(
      at.epochs.epochs,
      EPOCHS.map(({ startMs, ...epoch }) => ({
        ...epoch,
        description: '',
        startDate: iso(startMs),
        endDate: iso(startMs + EPOCH_MS),
      })),
    );
  answerStreak(sdk, STREAK);
  if (view) sdk.tabs.setParam('dashboard', 'view', 'earnings');
  return sdk;
}
