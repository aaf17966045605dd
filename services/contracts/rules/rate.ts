/** What the mining rate is made of. All factors are x 100, so that they are integers. */
export interface RateFactors {
  /** Tier multiplier by account age, 100n to 1000n. */
  tierHundredths: bigint;
  /** Anti-cheat efficiency multiplier, 10n to 100n. */
  antiCheatHundredths: bigint;
  /** Badge of Honor: 5 % more. */
  badge: boolean;
  /** Multiplier of the epoch in force, at most 2 decimals. */
  epochHundredths: bigint;
}

/** 0.5 CORD a minute is 5 x 100^4 nano-CORD, hence the bare 5 below. */
const BASE_UNITS = 5n;
const BADGE_HUNDREDTHS = 105n;
const PLAIN_HUNDREDTHS = 100n;

/** Nano-CORD in one CORD. */
export const NANO = 1_000_000_000n;

/**
 * Mining rate in nano-CORD per minute, exact: 0.5 x tier x anti-cheat x 1.05 with badge x epoch (services/mining/ledger/README.md#accrual).
 * The one rate function, used by service and screen.
 */
export function rateNano(factors: RateFactors): bigint {
  const badge = factors.badge ? BADGE_HUNDREDTHS : PLAIN_HUNDREDTHS;
  return BASE_UNITS * factors.tierHundredths * factors.antiCheatHundredths * badge * factors.epochHundredths;
}

/** A rate in CORD per minute as a number, for display. */
export function rateToNumber(nanoPerMinute: bigint): number {
  return Number(nanoPerMinute) / Number(NANO);
}

/** Nano-CORD milliseconds per minute in one micro-CORD: 1,000 nano x 60,000 ms. */
export const CARRY_UNIT = 60_000_000n;

/** One stretch of mining at one rate. */
export interface Stretch {
  /** nano-CORD per minute. */
  rateNano: bigint;
  /** Length in whole ms, 0 or more. */
  ms: number;
  /** What the last stretch left over, in 1 / CARRY_UNIT micro-CORD. */
  carry: bigint;
}

/** Earned micro-CORD of a stretch, and the remainder that carries on. */
export function accrue({ rateNano: rate, ms, carry }: Stretch): { micro: bigint; carry: bigint } {
  const units = rate * BigInt(ms) + carry;
  return { micro: units / CARRY_UNIT, carry: units % CARRY_UNIT };
}

/** One line of "Why this number?": what a factor adds to the rate. */
export interface Strand {
  key: 'base' | 'age' | 'epoch' | 'badge' | 'antiCheat';
  /** The factor x 100; for `base` 100. */
  hundredths: bigint;
  /** What it adds, nano-CORD per minute; below 0 for an anti-cheat penalty. */
  addsNano: bigint;
}

/** The rate as a sum of what each factor adds, in the order base, age, epoch, badge, anti-cheat. */
export function strands(factors: RateFactors): Strand[] {
  const plain = { tierHundredths: 100n, antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
  const badgeHundredths = factors.badge ? BADGE_HUNDREDTHS : PLAIN_HUNDREDTHS;
  const steps: [Strand['key'], bigint, RateFactors][] = [
    ['base', 100n, plain],
    ['age', factors.tierHundredths, { ...plain, tierHundredths: factors.tierHundredths }],
    ['epoch', factors.epochHundredths, { ...factors, badge: false, antiCheatHundredths: 100n }],
    ['badge', badgeHundredths, { ...factors, antiCheatHundredths: 100n }],
    ['antiCheat', factors.antiCheatHundredths, factors],
  ];
  let reachedNano = 0n;
  return steps.map(([key, hundredths, upTo]) => {
    const totalNano = rateNano(upTo);
    const addsNano = totalNano - reachedNano;
    reachedNano = totalNano;
    return { key, hundredths, addsNano };
  });
}
