import { MICRO } from '@cord/contracts/rules/money';
import { NANO } from '@cord/contracts/rules/rate';

/** Unknown (look.md, Numbers). */
export const DASH = '–';

const LOCALE = 'en';
const grouped = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });

/** Earned CORD with 2 decimals, grouped and cut, never rounded up: `9,999,999.99`; a dash for unknown. */
export function formatCord(micro: bigint | null | undefined): string {
  if (micro === null || micro === undefined) return DASH;
  return fixed(micro, MICRO, 2);
}

/** The same for a CORD number of an answer. */
export function formatCordNumber(cord: number | null | undefined): string {
  if (cord === null || cord === undefined) return DASH;
  return formatCord(BigInt(Math.round(cord * Number(MICRO))));
}

/** Rate in CORD per minute with 6 decimals, cut: `1.925000`. */
export function formatRate(nano: bigint | null | undefined): string {
  if (nano === null || nano === undefined) return DASH;
  return fixed(nano, NANO, 6);
}

/** Thousands with 1 decimal, cut: `7,912.4K`. */
export function formatThousands(cord: number | null | undefined): string {
  if (cord === null || cord === undefined) return DASH;
  return `${fixed(BigInt(Math.floor(cord)), 1_000n, 1)}K`;
}

/** Whole numbers, grouped. */
export function formatCount(count: number | null | undefined): string {
  return count === null || count === undefined ? DASH : grouped.format(count);
}

/** hh:mm:ss, where hours may pass 99. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(seconds / 3_600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** A multiplier as it is written: `×3.5`, `×1.05`. */
export function formatMultiplier(multiplier: number): string {
  return `×${new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 6 }).format(multiplier)}`;
}

/** `07:21` on this device's clock face. */
export function formatTime(ms: number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(ms);
}

/** `3 Oct 2026`, or `3 Oct` without the year. */
export function formatDate(ms: number, withYear = true): string {
  const year = withYear ? ({ year: 'numeric' } as const) : {};
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...year }).format(ms);
}

function fixed(value: bigint, unit: bigint, decimals: number): string {
  const scaled = (value * 10n ** BigInt(decimals)) / unit;
  const sign = scaled < 0n ? '-' : '';
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${sign}${grouped.format(BigInt(whole))}.${digits.slice(digits.length - decimals)}`;
}
