/**
 * How numbers and times are written (the visual language, Numbers). Pure, and the same for every module.
 * Earned amounts are truncated, never rounded up. What is not known is an en dash.
 */

/** CORD as a number with at most 6 decimals, or micro-CORD as a bigint; null and undefined are "not known". */
export type CordValue = number | bigint | null | undefined;

/** What stands for a value that is not known. */
export const UNKNOWN = '–';

const MICRO = 1_000_000n;
const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** micro-CORD of a value, or null when it is not known or not finite. Rounds at the sixth decimal, where a float of CORD is noise. */
export function toMicro(value: CordValue): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return BigInt(value.toFixed(6).replace('.', ''));
}

/** Digits in groups of three. */
export function group(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** micro-CORD with `decimals` places (0 to 6), truncated towards zero; grouped unless told otherwise. */
function writeMicro(micro: bigint, decimals: number, grouped = true): string {
  const negative = micro < 0n;
  const abs = negative ? -micro : micro;
  const whole = (abs / MICRO).toString();
  const rest = (abs % MICRO).toString().padStart(6, '0').slice(0, decimals);
  const text = `${grouped ? group(whole) : whole}${decimals > 0 ? `.${rest}` : ''}`;
  return negative && /[1-9]/.test(text) ? `-${text}` : text;
}

export interface FormatCordOptions {
  /** Places after the point, 0 to 6; 2 unless told. */
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

/** Thousands with 1 decimal, truncated: 7,912.4K. */
export function formatK(value: CordValue): string {
  const micro = toMicro(value);
  if (micro === null) return UNKNOWN;
  return `${writeMicro(micro / 1000n, 1)}K`;
}

/** A whole number in groups: 1,284. */
export function formatCount(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  return writeMicro(BigInt(Math.trunc(value)) * MICRO, 0);
}

/** A rank: #37; without one, `Unranked`; not known, an en dash. */
export function formatRank(rank: number | null | undefined, unranked = 'Unranked'): string {
  if (rank === undefined || (rank !== null && !Number.isFinite(rank))) return UNKNOWN;
  return rank === null || rank < 1 ? unranked : `#${formatCount(rank)}`;
}

const two = (n: number) => String(n).padStart(2, '0');

/** A length in ms as hh:mm:ss; hours may pass 99. Below zero counts as zero. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return UNKNOWN;
  const s = Math.max(0, Math.floor(ms / SECOND_MS));
  return `${two(Math.floor(s / HOUR_S))}:${two(Math.floor((s % HOUR_S) / MINUTE_S))}:${two(s % MINUTE_S)}`;
}

/** A length in words of at most two units: 4 min 27 s, 1 d 12 h, 9 s. */
export function formatSpan(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return UNKNOWN;
  const s = Math.max(0, Math.floor(ms / SECOND_MS));
  const parts = [
    [Math.floor(s / DAY_S), 'd'],
    [Math.floor((s % DAY_S) / HOUR_S), 'h'],
    [Math.floor((s % HOUR_S) / MINUTE_S), 'min'],
    [s % MINUTE_S, 's'],
  ] as const;
  const first = parts.findIndex(([n]) => n > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

/** Days, hours and minutes left of an epoch, each whole; null when not known. */
export function epochLeftParts(msLeft: number | null | undefined): { d: number; h: number; m: number } | null {
  if (msLeft === null || msLeft === undefined || !Number.isFinite(msLeft)) return null;
  const s = Math.max(0, Math.floor(msLeft / SECOND_MS));
  return { d: Math.floor(s / DAY_S), h: Math.floor((s % DAY_S) / HOUR_S), m: Math.floor((s % HOUR_S) / MINUTE_S) };
}

/** Time left of an epoch: 6d 14h 22m. */
export function formatEpochLeft(msLeft: number | null | undefined): string {
  const left = epochLeftParts(msLeft);
  return left === null ? UNKNOWN : `${left.d}d ${left.h}h ${left.m}m`;
}

/** Account age in years with 1 decimal, cut: 5.4 years; `short` writes 5.4 y. */
export function formatAge(years: number | null | undefined, { short = false }: { short?: boolean } = {}): string {
  const micro = toMicro(years);
  if (micro === null) return UNKNOWN;
  const text = writeMicro(micro, 1);
  if (short) return `${text} y`;
  return text === '1.0' ? '1.0 year' : `${text} years`;
}

/** A multiplier as it is, without padding: ×3.5, ×10, ×1.05. */
export function formatMultiplier(factor: number | null | undefined): string {
  const micro = toMicro(factor);
  if (micro === null) return UNKNOWN;
  const text = writeMicro(micro, 6, false).replace(/\.?0+$/, '');
  return `×${text}`;
}

/** A hash rate with 1 decimal: 184.2 H/s. Say "simulated" in its label. */
export function formatHashRate(hashesPerSecond: number | null | undefined): string {
  const micro = toMicro(hashesPerSecond);
  return micro === null ? UNKNOWN : `${writeMicro(micro, 1)} H/s`;
}

/** A whole percentage, truncated: 98%. Takes 0 to 100. */
export function formatPercent(percent: number | null | undefined): string {
  const micro = toMicro(percent);
  return micro === null ? UNKNOWN : `${writeMicro(micro, 0)}%`;
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
  const n = BigInt(lamports);
  const rest = (n % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '').padEnd(2, '0');
  return `${group((n / 1_000_000_000n).toString())}.${rest} SOL`;
}

/** A quote in USD and its age: "about $3.12, quoted 2 min ago"; a fallback adds "estimate". */
export function formatUsdQuote(usd: number | null | undefined, agoMs: number | null, estimate = false): string {
  if (usd === null || usd === undefined || !Number.isFinite(usd)) return UNKNOWN;
  if (estimate) return `about $${usd.toFixed(2)}, estimate`;
  return agoMs === null ? `about $${usd.toFixed(2)}` : `about $${usd.toFixed(2)}, quoted ${formatAgo(agoMs)}`;
}

/** How long ago in one unit: just now, 4 s ago, 2 min ago, 3 h ago, 5 d ago. */
export function formatAgo(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return UNKNOWN;
  const s = Math.max(0, Math.floor(ms / SECOND_MS));
  if (s < 1) return 'just now';
  if (s < MINUTE_S) return `${s} s ago`;
  if (s < HOUR_S) return `${Math.floor(s / MINUTE_S)} min ago`;
  if (s < DAY_S) return `${Math.floor(s / HOUR_S)} h ago`;
  return `${Math.floor(s / DAY_S)} d ago`;
}

/** A long address or signature with its middle left out: 7xKX...gAsU. Short ones stay whole. */
export function shortenAddress(address: string, keep = 4): string {
  return address.length <= keep * 2 + 3 ? address : `${address.slice(0, keep)}...${address.slice(-keep)}`;
}
