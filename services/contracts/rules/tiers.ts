/** A year of the tier table: 365.25 days, in ms (services/mining/ledger/README.md#accrual). */
export const YEAR_MS = 31_557_600_000;

/** One step of the tier table: from this age on, this multiplier. */
export interface Tier {
  /** Exact account age, in whole years of 365.25 days. */
  fromYears: number;
  /** Multiplier x 100, so that it is an integer: 120 is x1.2. */
  hundredths: bigint;
}

/** Tier multiplier by account age. */
export const TIERS: readonly Tier[] = [
  { fromYears: 0, hundredths: 100n },
  { fromYears: 1, hundredths: 120n },
  { fromYears: 2, hundredths: 150n },
  { fromYears: 3, hundredths: 200n },
  { fromYears: 4, hundredths: 250n },
  { fromYears: 5, hundredths: 350n },
  { fromYears: 6, hundredths: 500n },
  { fromYears: 7, hundredths: 700n },
  { fromYears: 8, hundredths: 1000n },
];

/** Tier multiplier x 100 for an exact account age in ms; a negative age is the first tier. */
export function tierHundredths(ageMs: number): bigint {
  let hundredths = 100n;
  for (const tier of TIERS) if (ageMs >= tier.fromYears * YEAR_MS) hundredths = tier.hundredths;
  return hundredths;
}

/** When the account reaches its next tier, ms since epoch; null once it is in the last. */
export function nextTierBirthdayMs(createdAtMs: number, nowMs: number): number | null {
  for (const tier of TIERS) {
    const birthdayMs = createdAtMs + tier.fromYears * YEAR_MS;
    if (birthdayMs > nowMs && tier.fromYears > 0) return birthdayMs;
  }
  return null;
}
