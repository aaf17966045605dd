import type { Source } from '@cord/contracts/events/balance';
import type { EarningsRange } from '@cord/contracts/http/mining';
import { DAY_MS, dayKey, dayStartMs, monthKey } from '@cord/contracts/rules/days';
import type { FinishedDay } from '../ledger/account.js';

/** Sources that change a balance and are no income: a correction only repairs a wrong or missing credit. */
const NOT_EARNED: ReadonlySet<Source> = new Set<Source>(['correction']);

/** The part under which a source is shown. All other sources are claims, also those of a newer release. */
const SHOWN_AS: Readonly<Partial<Record<Source, Exclude<Part, 'claims'>>>> = {
  mining: 'mining',
  checkin: 'checkin',
  task: 'tasks',
  commission: 'commission',
};

/** In display order. */
export const PARTS = ['mining', 'checkin', 'tasks', 'commission', 'claims'] as const;
export type Part = (typeof PARTS)[number];

/** Income of a day or month, micro-CORD. */
export interface Bucket {
  /** `2026-11-21` or `2026-11` */
  readonly key: string;
  readonly parts: Readonly<Record<Part, bigint>>;
  /** Claims by source, micro-CORD. */
  readonly claimsBy: Readonly<Record<string, bigint>>;
  readonly totalMicro: bigint;
  /** Credited node time, ms. */
  readonly ranMs: number;
}

/** The UTC days or months of a range; the last one is the current one. */
export interface Span {
  readonly unit: 'day' | 'month';
  /** Keys of the buckets, oldest first. */
  readonly keys: readonly string[];
  /** First and last UTC day of the span. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** Start of the first bucket, ms since epoch. */
  readonly fromMs: number;
}

const DAYS: Readonly<Partial<Record<EarningsRange, number>>> = { '7d': 7, '30d': 30 };
const MONTHS = 12;

/** Returns the span of a range that ends now. @param nowMs ms since epoch */
export function spanOf(range: EarningsRange, nowMs: number): Span {
  const count = DAYS[range];
  const starts = count === undefined ? monthStarts(nowMs) : dayStarts(nowMs, count);
  const unit = count === undefined ? 'month' : 'day';
  const fromMs = starts[0] ?? nowMs;
  const keys = starts.map(unit === 'day' ? dayKey : monthKey);
  return { unit, keys, firstDay: dayKey(fromMs), lastDay: dayKey(nowMs), fromMs };
}

function dayStarts(nowMs: number, count: number): number[] {
  const today = dayStartMs(nowMs);
  return Array.from({ length: count }, (_, n) => today - (count - 1 - n) * DAY_MS);
}

function monthStarts(nowMs: number): number[] {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return Array.from({ length: MONTHS }, (_, n) => Date.UTC(year, month - (MONTHS - 1 - n), 1));
}

/** Sums days into the buckets of a span. Days outside of it are ignored. Each day may occur only once. */
export function bucketsOf(span: Span, days: Iterable<FinishedDay>): Bucket[] {
  const buckets = new Map(span.keys.map((key) => [key, empty(key)]));
  for (const day of days) {
    const key = span.unit === 'day' ? day.dayKey : day.dayKey.slice(0, 'yyyy-mm'.length);
    const bucket = buckets.get(key);
    if (bucket && day.dayKey <= span.lastDay) buckets.set(key, plus(bucket, day));
  }
  return [...buckets.values()];
}

function empty(key: string): Bucket {
  const parts = { mining: 0n, checkin: 0n, tasks: 0n, commission: 0n, claims: 0n };
  return { key, parts, claimsBy: {}, totalMicro: 0n, ranMs: 0 };
}

function plus(bucket: Bucket, { bySource, ranMs }: FinishedDay): Bucket {
  const parts = { ...bucket.parts };
  const claimsBy = { ...bucket.claimsBy };
  let totalMicro = bucket.totalMicro;
  for (const [source, micro] of Object.entries(bySource) as [Source, bigint][]) {
    if (NOT_EARNED.has(source)) continue;
    const part = SHOWN_AS[source] ?? 'claims';
    parts[part] += micro;
    if (part === 'claims') claimsBy[source] = (claimsBy[source] ?? 0n) + micro;
    totalMicro += micro;
  }
  return { ...bucket, parts, claimsBy, totalMicro, ranMs: bucket.ranMs + ranMs };
}

/** Totals of some buckets, micro-CORD. */
export interface Summary {
  readonly totalMicro: bigint;
  /** Average per bucket since the account was opened, rounded down. */
  readonly averageMicro: bigint;
  /** The first of the largest buckets; null without income. */
  readonly best: Bucket | null;
}

/** Sums up buckets. @param openedAtMs when the account was opened: empty buckets before it do not lower the average */
export function summaryOf(span: Span, buckets: readonly Bucket[], openedAtMs: number): Summary {
  const opened = span.unit === 'day' ? dayKey(openedAtMs) : monthKey(openedAtMs);
  const since = buckets.filter(({ key, totalMicro }) => key >= opened || totalMicro > 0n).length;
  const totalMicro = buckets.reduce((sum, bucket) => sum + bucket.totalMicro, 0n);
  let best: Bucket | null = null;
  for (const bucket of buckets) if (bucket.totalMicro > (best?.totalMicro ?? 0n)) best = bucket;
  return { totalMicro, averageMicro: totalMicro / BigInt(Math.max(1, since)), best };
}
