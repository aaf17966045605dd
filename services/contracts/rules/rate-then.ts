import { type RateFactors, rateToNumber } from './rate.js';

/** What makes a rate, as answers show it: plain multipliers. */
interface ShownFactors {
  tier: number;
  antiCheat: number;
  badge: boolean;
  epoch: number;
  epochId: string | null;
}

/** What an answer has about a rate. */
export interface PublishedRate {
  /** CORD per minute. */
  rate: number;
  /** nano-CORD per minute as a decimal string. */
  rateNano: string;
  factors: ShownFactors;
  /** ISO time from which on another rate holds; null where none is known. */
  rateUntil: string | null;
  /** What makes that one, and how much it is, nano-CORD per minute as a decimal string. */
  nextFactors: ShownFactors | null;
  nextRateNano: string | null;
}

/** The factors as the rate function takes them; hundredths are exact however the multiplier was written. */
export function factorsOf({ tier, antiCheat, badge, epoch }: Omit<ShownFactors, 'epochId'>): RateFactors {
  return {
    tierHundredths: hundredths(tier),
    antiCheatHundredths: hundredths(antiCheat),
    badge,
    epochHundredths: hundredths(epoch),
  };
}

/**
 * The rate at a later time, from the last answer: the next one from its first moment on. How long the next one
 * holds is not known: that is requested.
 * @param atMs time by the server's clock, ms since epoch
 */
export function rateThen<R extends PublishedRate>(published: R, atMs: number): R {
  const { rateUntil, nextFactors, nextRateNano } = published;
  if (!rateUntil || !nextFactors || !nextRateNano || atMs < Date.parse(rateUntil)) return published;
  return {
    ...published,
    rate: rateToNumber(BigInt(nextRateNano)),
    rateNano: nextRateNano,
    factors: nextFactors,
    rateUntil: null,
    nextFactors: null,
    nextRateNano: null,
  };
}

function hundredths(multiplier: number): bigint {
  return BigInt(Math.round(multiplier * 100));
}
