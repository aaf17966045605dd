import type { RuleBook } from './rule-book.js';

/** Factors of the mining rate, all x 100, so that they are integers. */
export interface RateFactors {
  /** Tier multiplier by account age, 100n to 1000n. */
  tierHundredths: bigint;
  /** Anti-cheat efficiency multiplier, 10n to 100n. */
  antiCheatHundredths: bigint;
  /** Badge of Honor. */
  badge: boolean;
  /** Multiplier of the epoch in force, at most 2 decimals. */
  epochHundredths: bigint;
}

/** The part of a rule book that the rate needs. */
type RateRules = Pick<RuleBook, 'baseNano' | 'badgeHundredths'>;

const PLAIN_HUNDREDTHS = 100n;
/** The four factors are hundredths. */
const HUNDREDTHS_OF_ALL = PLAIN_HUNDREDTHS ** 4n;

/** Nano-CORD in one CORD. */
const NANO = 1_000_000_000n;

/**
 * Mining rate in nano-CORD per minute, an integer: base x tier x anti-cheat x badge x epoch, rounded down
 * (services/mining/ledger/README.md#accrual). The only rate function, shared by services and screens.
 */
export function rateNano(rules: RateRules, factors: RateFactors): bigint {
  const { tierHundredths, antiCheatHundredths, badge, epochHundredths } = factors;
  const of = tierHundredths * antiCheatHundredths * badgeHundredths(rules, badge) * epochHundredths;
  return (BigInt(rules.baseNano) * of) / HUNDREDTHS_OF_ALL;
}

function badgeHundredths(rules: RateRules, badge: boolean): bigint {
  return badge ? BigInt(rules.badgeHundredths) : PLAIN_HUNDREDTHS;
}

/** A rate in CORD per minute as a number, for display. */
export function rateToNumber(nanoPerMinute: bigint): number {
  return Number(nanoPerMinute) / Number(NANO);
}

/** Nano-CORD milliseconds per minute in one micro-CORD: 1,000 nano x 60,000 ms. */
export const CARRY_UNIT = 60_000_000n;

/** A period of mining at one rate. */
interface Stretch {
  /** nano-CORD per minute. */
  rateNano: bigint;
  /** Length in whole ms, 0 or more. */
  ms: number;
  /** Remainder of the previous period, in 1 / CARRY_UNIT micro-CORD. */
  carry: bigint;
}

/** Returns the micro-CORD earned in a period, and the remainder to carry over. */
export function accrue({ rateNano: rate, ms, carry }: Stretch): { micro: bigint; carry: bigint } {
  const units = rate * BigInt(ms) + carry;
  return { micro: units / CARRY_UNIT, carry: units % CARRY_UNIT };
}

/** One line of "Why this number?": a factor's addition to the rate. */
export interface Strand {
  key: 'base' | 'age' | 'epoch' | 'badge' | 'antiCheat';
  /** The factor x 100; for `base` 100. */
  hundredths: bigint;
  /** Its addition, nano-CORD per minute; negative for an anti-cheat penalty. */
  addsNano: bigint;
}

/** The rate as a sum of each factor's addition, in the order base, age, epoch, badge, anti-cheat. */
export function strands(rules: RateRules, factors: RateFactors): Strand[] {
  const plain = { tierHundredths: 100n, antiCheatHundredths: 100n, badge: false, epochHundredths: 100n };
  const steps: [Strand['key'], bigint, RateFactors][] = [
    ['base', 100n, plain],
    ['age', factors.tierHundredths, { ...plain, tierHundredths: factors.tierHundredths }],
    ['epoch', factors.epochHundredths, { ...factors, badge: false, antiCheatHundredths: 100n }],
    ['badge', badgeHundredths(rules, factors.badge), { ...factors, antiCheatHundredths: 100n }],
    ['antiCheat', factors.antiCheatHundredths, factors],
  ];
  let reachedNano = 0n;
  return steps.map(([key, hundredths, upTo]) => {
    const totalNano = rateNano(rules, upTo);
    const addsNano = totalNano - reachedNano;
    reachedNano = totalNano;
    return { key, hundredths, addsNano };
  });
}
