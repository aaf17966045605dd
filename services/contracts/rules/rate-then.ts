import { type RateFactors, rateToNumber } from './rate.js';

/** The factors of a rate in responses: plain multipliers. */
interface ShownFactors {
  tier: number;
  antiCheat: number;
  badge: boolean;
  epoch: number;
  epochId: string | null;
}

/** The fields of a rate in a response. */
export interface PublishedRate {
  /** CORD per minute. */
  rate: number;
  /** nano-CORD per minute as a decimal string. */
  rateNano: string;
  factors: ShownFactors;
  /** ISO time from which another rate holds; null when none is known. */
  rateUntil: string | null;
  /** Factors of that rate, and the rate itself, nano-CORD per minute as a decimal string. */
  nextFactors: ShownFactors | null;
  nextRateNano: string | null;
}

/** Converts factors for the rate function; rounding makes the hundredths exact. */
export function factorsOf({ tier, antiCheat, badge, epoch }: Omit<ShownFactors, 'epochId'>): RateFactors {
  return {
    tierHundredths: hundredths(tier),
    antiCheatHundredths: hundredths(antiCheat),
    badge,
    epochHundredths: hundredths(epoch),
  };
}

/**
 * Returns the rate at a later time from the last response: the next rate from its first moment on. How long that one
 * holds is unknown and must be requested.
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
