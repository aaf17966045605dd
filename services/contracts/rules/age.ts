import { YEAR_MS } from './tiers.js';

/** Discord's epoch, ms since the Unix epoch: the first 42 bits of a snowflake count from it. */
export const DISCORD_EPOCH_MS = 1_420_070_400_000;

/** A Discord id as text: a decimal 64-bit integer. */
export const SNOWFLAKE = /^\d{1,20}$/;

/**
 * Returns when the account of a Discord id was created, ms since epoch (the snowflake holds its time).
 * @throws RangeError when the text is not a snowflake.
 */
export function snowflakeToMs(id: string): number {
  if (!SNOWFLAKE.test(id)) throw new RangeError('not a Discord id');
  const value = BigInt(id);
  if (value >= 1n << 64n) throw new RangeError('not a Discord id');
  return Number(value >> 22n) + DISCORD_EPOCH_MS;
}

/** Returns a Discord id created at a time; `low` fills the 22 bits that distinguish ids of one millisecond. */
export function snowflakeFromMs(ms: number, low = 0n): string {
  return ((BigInt(Math.floor(ms) - DISCORD_EPOCH_MS) << 22n) | (low & 0x3fffffn)).toString();
}

/** Account age in tenths of a year, rounded down, at least 0. */
export function ageTenths(createdAtMs: number, nowMs: number): number {
  return Math.max(0, Math.floor(((nowMs - createdAtMs) * 10) / YEAR_MS));
}

/** Account age as displayed: years rounded down to one decimal (services/mining/ledger/README.md#accrual). */
export function displayedAge(createdAtMs: number, nowMs: number): number {
  return ageTenths(createdAtMs, nowMs) / 10;
}
