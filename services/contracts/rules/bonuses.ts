import type { Source } from '../events/balance.js';
import { ageTenths } from './age.js';
import { cord } from './money.js';
import { tierHundredths } from './tiers.js';

/**
 * Credit at first sign-in, micro-CORD: floor((50 + 25 age + 100 (multiplier - 1)) x 2) CORD.
 * With the age in tenths and the multiplier in hundredths it is a whole number of CORD.
 */
export function welcomeMicro(ageTenths: number, tierHundredths: bigint): bigint {
  return cord(100n + 5n * BigInt(ageTenths) + 2n * (tierHundredths - 100n));
}

/** What a newcomer with a referral code gets on top: 10 % of the own welcome credit (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export function referredBonusMicro(ownWelcomeMicro: bigint): bigint {
  return ownWelcomeMicro / 10n;
}

/** The referrer's bonus when the friend has run a node for ten minutes. */
export const REFERRER_BONUS_MICRO = cord(86);
/** Node time of the friend after which the referrer's bonus is due, ms. */
export const REFERRER_BONUS_AFTER_MS = 600_000;

/** Lifetime commission in percent. */
export const COMMISSION_PERCENT = 10n;

/** Commission due on what all friends earned: one floor for each referrer. */
export function commissionMicro(eligibleMicro: bigint): bigint {
  return (eligibleMicro * COMMISSION_PERCENT) / 100n;
}

const CHECKIN_MICRO = cord(50);
const STREAK_STEP = 5;
const STREAK_CAP = 100;

/** Check-in reward: 50 CORD plus min(streak x 5, 100), not multiplied. Both in micro-CORD. */
export function checkinReward(newStreak: number): { rewardMicro: bigint; bonusMicro: bigint } {
  return { rewardMicro: CHECKIN_MICRO, bonusMicro: cord(Math.min(newStreak * STREAK_STEP, STREAK_CAP)) };
}

/** Task reward: base reward times the multiplier at the claim, micro-CORD, cut to the micro. */
export function taskRewardMicro(baseMicro: bigint, tierHundredths: bigint): bigint {
  return (baseMicro * tierHundredths) / 100n;
}

/** Base reward of a task at most, micro-CORD. */
export const TASK_BASE_MICRO_MOST = cord(10_000);

/** One-time reward for badge holders. */
export const CORD_CLAIM_MICRO = cord(10_000);
/** One-time compensation. */
export const COMPENSATION_MICRO = cord(5_000);
/** Price of the Badge of Honor, lamports (0.02 SOL; frozen in each order). */
export const BADGE_PRICE_LAMPORTS = 20_000_000n;

/** Largest single correction of a balance, up or down, micro-CORD. */
export const CORRECTION_MICRO_MAX = cord(1_000_000);

/** Largest single credit of each source that credits by key, micro-CORD, whoever the user is. */
export const LARGEST_CREDIT_MICRO = {
  welcome: cord(100_000),
  refbonus: cord(10_000),
  refwelcome: REFERRER_BONUS_MICRO,
  checkin: cord(150),
  task: taskRewardMicro(TASK_BASE_MICRO_MOST, 1_000n),
  compensation: COMPENSATION_MICRO,
  cordclaim: CORD_CLAIM_MICRO,
  correction: CORRECTION_MICRO_MAX,
} as const satisfies Partial<Record<Source, bigint>>;

/**
 * Largest single credit of a source for one user, micro-CORD: what depends on the age of the Discord account is no more than its age at
 * the time makes it.
 * @param atMs any time at or after the promise of the credit: an age only rises
 */
export function largestCreditMicro(
  source: keyof typeof LARGEST_CREDIT_MICRO,
  discordCreatedAtMs: number,
  atMs: number,
): bigint {
  const tier = tierHundredths(atMs - discordCreatedAtMs);
  const ownWelcomeMicro = welcomeMicro(ageTenths(discordCreatedAtMs, atMs), tier);
  if (source === 'welcome') return ownWelcomeMicro;
  if (source === 'refbonus') return referredBonusMicro(ownWelcomeMicro);
  return source === 'task' ? taskRewardMicro(TASK_BASE_MICRO_MOST, tier) : LARGEST_CREDIT_MICRO[source];
}
