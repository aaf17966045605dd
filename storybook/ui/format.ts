/**
 * Formats of numbers and times (the visual language, Numbers), in the locale of the page.
 * Earned amounts are truncated, never rounded up. An unknown value is an en dash.
 */

import { uiText } from './ui-texts';

/** CORD as a number with at most 6 decimals, or micro-CORD as a bigint; null and undefined are "not known". */
export type CordValue = number | bigint | null | undefined;

/** The text of an unknown value. */
export const UNKNOWN = '–';

const MICRO = 1_000_000n;
const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** Whether a number is known; a number that is not finite counts as unknown. */
const isKnown = (value: number | null | undefined): value is number => Number.isFinite(value);

/** micro-CORD of a value, or null when it is not known or not finite. Rounds at the sixth decimal, where a float of CORD is noise. */
export function toMicro(value: CordValue): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return BigInt(value.toFixed(6).replace('.', ''));
}

const ENGLISH = { group: ',', point: '.' };
const GERMAN = { group: '.', point: ',' };

/** Group and decimal separators of the most common locales; for others the browser loads its rules, which takes 60 ms on a phone. */
const KNOWN_MARKS: Readonly<Record<string, { group: string; point: string }>> = {
  ...{ en: ENGLISH, 'en-GB': ENGLISH, 'en-US': ENGLISH },
  ...{ de: GERMAN, 'de-DE': GERMAN },
};

let locale = 'en-GB';
const writers = new Map<string, Intl.NumberFormat>();

/** Sets the locale of number formats. */
export function setNumberLocale(next: string): void {
  locale = next;
  writers.clear();
}

/** Formats a decimal of any size with all its digits; `padded` is the minimum number of decimals. */
function writeDecimal(decimal: string, padded: number): string {
  const marks = KNOWN_MARKS[locale];
  if (marks) return withMarks(decimal, padded, marks);
  const key = String(padded);
  const known = writers.get(key);
  const writer = known ?? new Intl.NumberFormat(locale, { minimumFractionDigits: padded, maximumFractionDigits: 9 });
  if (known === undefined) writers.set(key, writer);
  return writer.format(decimal as Intl.StringNumericLiteral);
}

/** Makes the browser load its number rules in advance, if the locale needs them. */
export function readNumberRules(): void {
  writeDecimal('0', 2);
}

function withMarks(decimal: string, padded: number, { group, point }: { group: string; point: string }): string {
  const [whole = '', rest = ''] = decimal.split('.');
  const places = rest.replace(/0+$/, '').padEnd(padded, '0');
  return whole.replace(/\B(?=(\d{3})+$)/g, group) + (places && point + places);
}

/** Formats micro-CORD with `decimals` places (0 to 6), truncated towards zero; `padded` is the minimum number of decimals. */
function writeMicro(micro: bigint, decimals: number, padded = decimals): string {
  const abs = micro < 0n ? -micro : micro;
  const rest = (abs % MICRO).toString().padStart(6, '0').slice(0, decimals);
  const digits = `${abs / MICRO}.${rest || '0'}`;
  return writeDecimal(micro < 0n && /[1-9]/.test(digits) ? `-${digits}` : digits, padded);
}

export interface FormatCordOptions {
  /** Places after the point, 0 to 6; 2 by default. */
  decimals?: number | undefined;
  /** Write + before a gain; for changes only. */
  signed?: boolean | undefined;
}

/** An amount of CORD: 9,999,999.99. */
export function formatCord(value: CordValue, { decimals = 2, signed = false }: FormatCordOptions = {}): string {
  const micro = toMicro(value);
  if (micro === null) return UNKNOWN;
  return `${signed && micro >= 0n ? '+' : ''}${writeMicro(micro, decimals)}`;
}

/** A rate in CORD per minute with 6 decimals: 1.925000. */
export function formatRate(perMinute: CordValue, { signed = false }: { signed?: boolean } = {}): string {
  return formatCord(perMinute, { decimals: 6, signed });
}

/**
 * Thousands with 1 decimal, truncated: 7,912.4K; in English also below one thousand, other languages write that in full. From 10,000K on millions, from
 * 10,000M on billions: never more than five digits.
 */
export function formatK(value: CordValue): string {
  const micro = toMicro(value);
  if (micro === null) return UNKNOWN;
  if (micro < 1000n * MICRO && KNOWN_MARKS[locale] !== ENGLISH) return writeMicro(micro, 0);
  let unit = 0;
  let scaled = micro / 1000n;
  for (; unit < 2 && scaled >= 10_000n * MICRO; unit += 1) scaled /= 1000n;
  return uiText('thousands').split('|')[unit]?.replace('{number}', writeMicro(scaled, 1)) ?? UNKNOWN;
}

/** A short amount for the labels of a scale: 850, 1.2K, 35M, 1B; truncated, without a decimal of 0. */
export function formatShort(value: CordValue): string {
  const micro = toMicro(value);
  if (micro === null) return UNKNOWN;
  if (micro < 1000n * MICRO) return writeMicro(micro, 1, 0);
  let unit = 0;
  let scaled = micro / 1000n;
  for (; unit < 2 && scaled >= 1000n * MICRO; unit += 1) scaled /= 1000n;
  return (
    uiText('thousands')
      .split('|')
      [unit]?.replace('{number}', writeMicro(scaled, 1, 0)) ?? UNKNOWN
  );
}

/** A whole number in groups: 1,284. */
export function formatCount(value: number | null | undefined): string {
  if (!isKnown(value)) return UNKNOWN;
  return writeMicro(BigInt(Math.trunc(value)) * MICRO, 0);
}

/** A rank: #37; `Unranked` without one; an en dash if unknown. */
export function formatRank(rank: number | null | undefined, unranked = uiText('unranked')): string {
  if (rank === undefined || (rank !== null && !Number.isFinite(rank))) return UNKNOWN;
  return rank === null || rank < 1 ? unranked : `#${formatCount(rank)}`;
}

const two = (n: number) => String(n).padStart(2, '0');

/** A duration in ms as hh:mm:ss; hours may exceed 99. Negative values count as zero. */
export function formatDuration(ms: number | null | undefined): string {
  if (!isKnown(ms)) return UNKNOWN;
  const s = Math.max(0, Math.floor(ms / SECOND_MS));
  return `${two(Math.floor(s / HOUR_S))}:${two(Math.floor((s % HOUR_S) / MINUTE_S))}:${two(s % MINUTE_S)}`;
}

/** A duration in ms as text of at most two units: 4 min 27 s, 1 d 12 h, 9 s. */
export function formatSpan(ms: number | null | undefined): string {
  if (!isKnown(ms)) return UNKNOWN;
  const s = Math.max(0, Math.floor(ms / SECOND_MS));
  const parts = [
    [Math.floor(s / DAY_S), 'span.d'],
    [Math.floor((s % DAY_S) / HOUR_S), 'span.h'],
    [Math.floor((s % HOUR_S) / MINUTE_S), 'span.min'],
    [s % MINUTE_S, 'span.s'],
  ] as const;
  const first = parts.findIndex(([n]) => n > 0);
  if (first === -1) return uiText('span.s', { number: 0 });
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([number, unit]) => uiText(unit, { number }))
    .join(' ');
}

/** Days, hours and minutes left of an epoch, each whole; null when not known. */
export function epochLeftParts(msLeft: number | null | undefined): { d: number; h: number; m: number } | null {
  if (!isKnown(msLeft)) return null;
  const s = Math.max(0, Math.floor(msLeft / SECOND_MS));
  return { d: Math.floor(s / DAY_S), h: Math.floor((s % DAY_S) / HOUR_S), m: Math.floor((s % HOUR_S) / MINUTE_S) };
}

/** Time left of an epoch: 6d 14h 22m. */
export function formatEpochLeft(msLeft: number | null | undefined): string {
  const left = epochLeftParts(msLeft);
  return left === null ? UNKNOWN : uiText('epochLeft', left);
}

/** Account age in years with 1 decimal, truncated: 5.4 years; `short` writes 5.4 y. */
export function formatAge(years: number | null | undefined, { short = false }: { short?: boolean } = {}): string {
  const micro = toMicro(years);
  if (micro === null) return UNKNOWN;
  const number = writeMicro(micro, 1);
  if (short) return uiText('yearsShort', { number });
  return uiText(micro / (MICRO / 10n) === 10n ? 'year' : 'years', { number });
}

/** A multiplier without padding: ×3.5, ×10, ×1.05. */
export function formatMultiplier(factor: number | null | undefined): string {
  const micro = toMicro(factor);
  if (micro === null) return UNKNOWN;
  return `×${writeMicro(micro, 6, 0)}`;
}

/** A hash rate with 1 decimal: 184.2 H/s. Its label shows "simulated". */
export function formatHashRate(hashesPerSecond: number | null | undefined): string {
  const micro = toMicro(hashesPerSecond);
  return micro === null ? UNKNOWN : uiText('hashRate', { number: writeMicro(micro, 1) });
}

/** A whole percentage, truncated: 98%. Takes 0 to 100. */
export function formatPercent(percent: number | null | undefined): string {
  const micro = toMicro(percent);
  return micro === null ? UNKNOWN : uiText('percent', { number: writeMicro(micro, 0) });
}

/** `part` of `whole` in percent, 0 to 100; 0 when there is no whole. Never 100 before the whole is reached. */
export function percentOf(part: number, whole: number): number {
  if (!Number.isFinite(part) || !Number.isFinite(whole) || whole <= 0) return 0;
  if (part >= whole) return 100;
  return Math.min(99, Math.max(0, Math.floor((part / whole) * 100)));
}

/** SOL as it is, without padding beyond 2 decimals: 0.02 SOL. Takes lamports. */
export function formatSol(lamports: number | bigint | null | undefined): string {
  if (lamports === null || lamports === undefined) return UNKNOWN;
  return uiText('sol', { number: formatExact(lamports, 9, 2) });
}

/** An integer of a small unit with all significant digits: 50,500,000 with 6 places is 50.5. @param padded minimum number of decimals */
export function formatExact(units: bigint | number, places: number, padded = 0): string {
  const n = BigInt(units);
  const digits = String(n < 0n ? -n : n).padStart(places + 1, '0');
  const point = digits.length - places;
  return writeDecimal(`${n < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`, padded);
}

/** A quote in USD and its age: "about $3.12, quoted 2 min ago"; a fallback adds "estimate". */
export function formatUsdQuote(usd: number | null | undefined, agoMs: number | null, estimate = false): string {
  if (!isKnown(usd)) return UNKNOWN;
  const text = writeDecimal(usd.toFixed(2), 2);
  if (estimate) return uiText('usdEstimate', { usd: text });
  return agoMs === null ? uiText('usd', { usd: text }) : uiText('usdQuoted', { usd: text, ago: formatAgo(agoMs) });
}

/** How long ago in one unit: just now, 4 s ago, 2 min ago, 3 h ago, 5 d ago. */
export function formatAgo(ms: number | null | undefined): string {
  if (!isKnown(ms)) return UNKNOWN;
  const s = Math.max(0, Math.floor(ms / SECOND_MS));
  if (s < 1) return uiText('justNow');
  if (s < MINUTE_S) return ago('span.s', s);
  if (s < HOUR_S) return ago('span.min', s / MINUTE_S);
  return s < DAY_S ? ago('span.h', s / HOUR_S) : ago('span.d', s / DAY_S);
}

function ago(unit: 'span.s' | 'span.min' | 'span.h' | 'span.d', units: number): string {
  return uiText('ago', { span: uiText(unit, { number: Math.floor(units) }) });
}

/** Shortens a long address or signature in the middle: 7xKX...gAsU. Short ones are unchanged. */
export function shortenAddress(address: string, keep = 4): string {
  return address.length <= keep * 2 + 3 ? address : `${address.slice(0, keep)}...${address.slice(-keep)}`;
}
