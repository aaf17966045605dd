import { hourStartMs } from '@cord/contracts/rules/days';
import { accrue, rateNano } from '@cord/contracts/rules/rate';
import { bookAt, bookUntilMs } from '@cord/contracts/rules/rule-book';
import { nextTierBirthdayMs, tierHundredths } from '@cord/contracts/rules/tiers';
import type { Factors } from './account.js';
import { type EpochTable, epochAt } from './epochs.js';

const HOUR_MS = 3_600_000;

/** A span of node time at one rate, within one clock hour (hence within one UTC day, week and month). */
export interface RatedStretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** nano-CORD per minute. */
  readonly rateNano: bigint;
  readonly epochId: string | null;
}

/** The earning rate of a running node with given factors at a time. */
interface RateMoment {
  /** nano-CORD per minute. */
  readonly rateNano: bigint;
  readonly tierHundredths: bigint;
  readonly epochHundredths: bigint;
  readonly epochId: string | null;
  /** First ms at which the rate may differ: the end of the epoch, another rule book or the tier birthday. */
  readonly untilMs: number;
}

/** Returns the rate at a time: tier by exact age, epoch and rule book from the table in use (services/mining/ledger/README.md#accrual). */
export function rateAt(factors: Factors, epochs: EpochTable, ms: number): RateMoment {
  const epoch = epochAt(epochs, ms);
  const book = bookAt(epochs.books, ms);
  const { discordCreatedAtMs } = factors;
  const tier = tierHundredths(book, ms - discordCreatedAtMs);
  return {
    rateNano: rateNano(book, {
      tierHundredths: tier,
      antiCheatHundredths: factors.antiCheatHundredths,
      badge: factors.badge,
      epochHundredths: epoch.hundredths,
    }),
    tierHundredths: tier,
    epochHundredths: epoch.hundredths,
    epochId: epoch.id,
    untilMs: Math.min(
      epoch.untilMs,
      bookUntilMs(epochs.books, ms),
      nextTierBirthdayMs(book, discordCreatedAtMs, ms) ?? Number.POSITIVE_INFINITY,
    ),
  };
}

/**
 * Returns what a node with these factors would have mined in a time span, micro-CORD: the amount that a pause has
 * missed. It is displayed, never credited.
 */
export function missedMiningMicro(fromMs: number, toMs: number, factors: Factors, epochs: EpochTable): bigint {
  let mined = { micro: 0n, carry: 0n };
  for (let atMs = fromMs; atMs < toMs; ) {
    const rate = rateAt(factors, epochs, atMs);
    const untilMs = Math.min(toMs, rate.untilMs);
    const { micro, carry } = accrue({ rateNano: rate.rateNano, ms: untilMs - atMs, carry: mined.carry });
    mined = { micro: mined.micro + micro, carry };
    atMs = untilMs;
  }
  return mined.micro;
}

/**
 * Splits node time at every hour, epoch boundary, change of the rule book and tier birthday.
 * The lengths add up to toMs - fromMs; none is empty.
 */
export function* stretches(
  fromMs: number,
  toMs: number,
  factors: Factors,
  epochs: EpochTable,
): Generator<RatedStretch, void, void> {
  let atMs = fromMs;
  while (atMs < toMs) {
    const rate = rateAt(factors, epochs, atMs);
    const untilMs = Math.min(toMs, rate.untilMs, hourStartMs(atMs) + HOUR_MS);
    yield { fromMs: atMs, toMs: untilMs, rateNano: rate.rateNano, epochId: rate.epochId };
    atMs = untilMs;
  }
}
