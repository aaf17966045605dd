import type { Source } from '../events/balance.js';
import { ageTenths } from './age.js';
import { cord } from './money.js';
import type { RuleBook } from './rule-book.js';
import { tierHundredths } from './tiers.js';

/**
 * Credit at first sign-in, micro-CORD: floor((50 + 25 age + 100 (multiplier - 1)) x 2) CORD.
 * With the age in tenths and the multiplier in hundredths it is a whole number of CORD.
 */
export function welcomeMicro(ageTenths: number, tierHundredths: bigint): bigint {
  return cord(100n + 5n * BigInt(ageTenths) + 2n * (tierHundredths - 100n));
}

/** Additional credit of a newcomer with a referral code: 10 % of the own welcome credit (services/contracts/rules/README.md#commission-and-referral-bonuses). */
export function referredBonusMicro(ownWelcomeMicro: bigint): bigint {
  return ownWelcomeMicro / 10n;
}

/** The referrer's bonus once the friend has run a node for ten minutes. */
export const REFERRER_BONUS_MICRO = cord(86);
/** Node time of the friend after which the referrer's bonus is due, ms. */
export const REFERRER_BONUS_AFTER_MS = 600_000;

/** Commission due on the earnings of all friends: rounded down once per referrer. */
export function commissionMicro({ commissionPercent }: RuleBook, eligibleMicro: bigint): bigint {
  return (eligibleMicro * BigInt(commissionPercent)) / 100n;
}

/** Check-in reward: a fixed amount and a bonus that grows with the streak up to a limit, without a multiplier. Both in micro-CORD. */
export function checkinReward(
  { checkinMicro, streakStepMicro, streakMostMicro }: RuleBook,
  newStreak: number,
): { rewardMicro: bigint; bonusMicro: bigint } {
  const bonusMicro = Math.min(newStreak * streakStepMicro, streakMostMicro);
  return { rewardMicro: BigInt(checkinMicro), bonusMicro: BigInt(bonusMicro) };
}

/** Task reward: base reward times the multiplier at the claim, micro-CORD, rounded down. */
export function taskRewardMicro(baseMicro: bigint, tierHundredths: bigint): bigint {
  return (baseMicro * tierHundredths) / 100n;
}

/** One-time reward for badge holders. */
export const CORD_CLAIM_MICRO = cord(10_000);
/** One-time compensation. */
export const COMPENSATION_MICRO = cord(5_000);
/** Price of the Badge of Honor, lamports (0.02 SOL; fixed in each order). */
export const BADGE_PRICE_LAMPORTS = 20_000_000n;

/** Largest single correction of a balance, up or down, micro-CORD. */
export const CORRECTION_MICRO_MAX = cord(1_000_000);

/**
 * Largest single credit per source with a key, micro-CORD, for any user and any rule book. A book that would pay more is
 * refused.
 */
export const LARGEST_CREDIT_MICRO = {
  welcome: cord(100_000),
  refbonus: cord(10_000),
  refwelcome: REFERRER_BONUS_MICRO,
  checkin: cord(150),
  task: cord(100_000),
  compensation: COMPENSATION_MICRO,
  cordclaim: CORD_CLAIM_MICRO,
  correction: CORRECTION_MICRO_MAX,
} as const satisfies Partial<Record<Source, bigint>>;

/**
 * Largest single credit of a source for one user, micro-CORD. An amount that depends on the Discord account's age is limited by that
 * age under any of the books: a promise may be older than the book in force.
 * @param atMs any time at or after the promise of the credit: an age only rises
 */
export function largestCreditMicro(
  books: readonly RuleBook[],
  source: keyof typeof LARGEST_CREDIT_MICRO,
  discordCreatedAtMs: number,
  atMs: number,
): bigint {
  const tierOf = (book: RuleBook) => tierHundredths(book, atMs - discordCreatedAtMs);
  if (source === 'checkin') return most(books, checkinMostMicro);
  if (source === 'task') return most(books, (book) => taskRewardMicro(BigInt(book.taskMostMicro), tierOf(book)));
  if (source !== 'welcome' && source !== 'refbonus') return LARGEST_CREDIT_MICRO[source];
  const ownMicro = most(books, (book) => welcomeMicro(ageTenths(discordCreatedAtMs, atMs), tierOf(book)));
  return source === 'welcome' ? ownMicro : referredBonusMicro(ownMicro);
}

/** Maximum reward of a check-in, micro-CORD. */
export function checkinMostMicro({ checkinMicro, streakMostMicro }: RuleBook): bigint {
  return BigInt(checkinMicro + streakMostMicro);
}

/** Returns the largest amount among the books. */
export function most(books: readonly RuleBook[], of: (book: RuleBook) => bigint): bigint {
  let largest = 0n;
  for (const amount of books.map(of)) if (amount > largest) largest = amount;
  return largest;
}
