import type { RuleBook } from './rule-book.js';

/** What the mining rate is made of. All factors are x 100, so that they are integers. */
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

/** What a rule book has of the rate. */
type RateRules = Pick<RuleBook, 'baseNano' | 'badgeHundredths'>;

const PLAIN_HUNDREDTHS = 100n;
/** The four factors are hundredths. */
const HUNDREDTHS_OF_ALL = PLAIN_HUNDREDTHS ** 4n;

/** Nano-CORD in one CORD. */
const NANO = 1_000_000_000n;

/**
 * Mining rate in nano-CORD per minute, an integer: base x tier x anti-cheat x badge x epoch, cut (services/mining/ledger/README.md#accrual).
 * The one rate function, used by service and screen.
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

/** One stretch of mining at one rate. */
interface Stretch {
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
