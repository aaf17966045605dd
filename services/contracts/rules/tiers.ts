import type { RuleBook, Tier } from './rule-book.js';

/** A year of the tier table: 365.25 days in ms (services/mining/ledger/README.md#accrual). */
export const YEAR_MS = 31_557_600_000;

/** Tier multiplier x 100 for an exact account age in ms; a negative age is the first tier. */
export function tierHundredths({ tiers }: Pick<RuleBook, 'tiers'>, ageMs: number): bigint {
  return BigInt((tiers.findLast(({ fromYears }) => ageMs >= fromYears * YEAR_MS) ?? (tiers[0] as Tier)).hundredths);
}

/** When the account reaches its next tier, ms since epoch; null once it is in the last. */
export function nextTierBirthdayMs(
  { tiers }: Pick<RuleBook, 'tiers'>,
  createdAtMs: number,
  nowMs: number,
): number | null {
  for (const { fromYears } of tiers) {
    const birthdayMs = createdAtMs + fromYears * YEAR_MS;
    if (birthdayMs > nowMs && fromYears > 0) return birthdayMs;
  }
  return null;
}
