import type { Epoch } from './admin.ts';
import type { Entry, Session } from './books.ts';

/*
 * Computes what each user must have, from the rules alone. It shares no code with the services, so that their mistakes
 * are not repeated. Amounts are bigint micro-CORD, times ms.
 */

const YEAR_MS = 31_557_600_000;
const DAY_MS = 86_400_000;
/** Maximum delay of a pending credit after a crash, ms. */
const LATE_MS_MAX = 300_000;
/** Tier multiplier x 100 by whole years. */
const TIERS = [100n, 120n, 150n, 200n, 250n, 350n, 500n, 700n, 1000n];
/** Base rewards in CORD. */
const TASK_CORD: Readonly<Record<string, bigint>> = {
  'mine-1-hour': 35n,
  'weekly-mining': 200n,
  'follow-x': 50n,
  'join-discord': 80n,
  'join-telegram': 60n,
  'invite-friends': 150n,
  'early-adopter': 750n,
  'social-media-master': 500n,
};
const MICRO = 1_000_000n;
/** Epoch of Discord's snowflakes, in ms since the Unix epoch. */
const DISCORD_EPOCH_MS = 1_420_070_400_000;

export function createdAtMs(discordId: string): number {
  return Number(BigInt(discordId) >> 22n) + DISCORD_EPOCH_MS;
}

export function tierAt(createdMs: number, atMs: number): bigint {
  const years = Math.floor(Math.max(0, atMs - createdMs) / YEAR_MS);
  return TIERS[Math.min(years, TIERS.length - 1)] ?? 100n;
}

/**
 * Sums the mining of all sessions: floor(sum of rate x ms / 60,000,000), over every epoch and tier birthday
 * (services/mining/ledger/README.md#accrual). The final table covers the whole past, since an edit never changes it.
 */
export function minedMicro(sessions: readonly Session[], createdMs: number, epochs: readonly Epoch[]): bigint {
  const spans = epochs.map(({ rewardsMultiplier, startDate, endDate }) => ({
    hundredths: BigInt(Math.round(rewardsMultiplier * 100)),
    startMs: Date.parse(startDate),
    endMs: Date.parse(endDate),
  }));
  const cuts = [
    ...spans.flatMap(({ startMs, endMs }) => [startMs, endMs]),
    ...TIERS.map((_, y) => createdMs + y * YEAR_MS),
  ];
  let units = 0n;
  for (const { startedAtMs, creditedUntilMs } of sessions) {
    const inside = cuts.filter((ms) => ms > startedAtMs && ms < creditedUntilMs).sort((a, b) => a - b);
    const marks = [startedAtMs, ...inside, creditedUntilMs];
    for (let n = 1; n < marks.length; n += 1) {
      const [fromMs = 0, toMs = 0] = [marks[n - 1], marks[n]];
      const epoch = spans.find(({ startMs, endMs }) => startMs <= fromMs && fromMs < endMs)?.hundredths ?? 100n;
      // 0.5 CORD a minute x tier x epoch, in nano-CORD.
      const rateNano = (500_000_000n * tierAt(createdMs, fromMs) * epoch) / 10_000n;
      units += rateNano * BigInt(toMs - fromMs);
    }
  }
  return units / 60_000_000n;
}

/** floor((50 + 25 age + 100 (multiplier - 1)) x 2) CORD, with the displayed age. */
export function welcomeMicro(createdMs: number, atMs: number): bigint {
  const tenths = BigInt(Math.floor(((atMs - createdMs) * 10) / YEAR_MS));
  return (((50n * 100n + 250n * tenths + 100n * (tierAt(createdMs, atMs) - 100n)) * 2n) / 100n) * MICRO;
}

/**
 * Checks a user's check-ins in order: each day once, 50 + min(5 x streak, 100) CORD.
 * @returns what is wrong, or null
 */
export function wrongCheckins(entries: readonly Entry[]): string | null {
  let streak = 0;
  let lastDay = '';
  for (const { _id, amountMicro } of entries) {
    const day = _id.split(':')[2] ?? '';
    if (day <= lastDay) return `a check-in of ${day} after ${lastDay}`;
    streak = lastDay && Date.parse(day) - Date.parse(lastDay) === DAY_MS ? streak + 1 : 1;
    lastDay = day;
    const dueMicro = (50n + BigInt(Math.min(5 * streak, 100))) * MICRO;
    if (amountMicro !== dueMicro) return `${day} paid ${amountMicro}, expected ${dueMicro}`;
  }
  return null;
}

/**
 * Checks a user's task rewards: base x multiplier; daily tasks after 24 h, weekly once a week, others once.
 * @returns what is wrong
 */
export function wrongTasks(entries: readonly Entry[], createdMs: number): string | null {
  const last = new Map<string, { atMs: number; claimKey: string }>();
  for (const { _id, amountMicro, atMs } of entries) {
    const [, taskId = '', , claimKey = ''] = _id.split(':');
    const baseMicro = (TASK_CORD[taskId] ?? 0n) * MICRO;
    const dueMicro = (baseMicro * tierAt(createdMs, atMs)) / 100n;
    // A claim just before a tier birthday may be credited after it.
    const earlierMicro = (baseMicro * tierAt(createdMs, atMs - DAY_MS / 2)) / 100n;
    if (amountMicro !== dueMicro && amountMicro !== earlierMicro)
      return `${_id} paid ${amountMicro}, expected ${dueMicro}`;
    const before = last.get(taskId);
    last.set(taskId, { atMs, claimKey });
    if (!before) continue;
    // A credit delayed by a crash has a slightly later time.
    if (taskId === 'mine-1-hour' && atMs - before.atMs >= DAY_MS - LATE_MS_MAX) continue;
    if (taskId === 'weekly-mining' && claimKey !== before.claimKey) continue;
    return `${_id} paid again after ${atMs - before.atMs} ms`;
  }
  return null;
}
