import type { Source } from '@cord/contracts/events/balance';
import type { EarningsBucket } from '@cord/contracts/http/mining';

/** Sources of earnings, from the ground up: the same order in chart, legend, table and speech. */
export const SOURCES = ['mining', 'checkin', 'tasks', 'commission', 'claims'] as const;
export type EarningsSource = (typeof SOURCES)[number];

/** Sources without a category of their own. */
type Claim = Exclude<Source, 'mining' | 'checkin' | 'task' | 'commission' | 'correction'>;
const CLAIM = { welcome: 1, compensation: 1, cordclaim: 1, refbonus: 1, refwelcome: 1 } satisfies Record<Claim, 1>;
/** Sources of claims, in display order. */
export const CLAIMS = Object.keys(CLAIM) as Claim[];

/** Ledger sources of each category; claims are all others. */
export const LEDGER_SOURCES: Readonly<Record<EarningsSource, readonly Source[]>> = {
  mining: ['mining'],
  checkin: ['checkin'],
  tasks: ['task'],
  commission: ['commission'],
  claims: CLAIMS,
};

/** All ledger sources of earnings; corrections are excluded. */
export const EARNED: readonly Source[] = Object.values(LEDGER_SOURCES).flat();

const MICRO = 1e6;

/** Sums amounts of at most six decimals without float errors. @returns CORD */
export function sumOf(amounts: Iterable<number>): number {
  let micro = 0;
  for (const amount of amounts) micro += Math.round(amount * MICRO);
  return micro / MICRO;
}

/** Returns the sum of each source over some buckets, CORD. */
export function sumsBySource(buckets: readonly EarningsBucket[]): Record<EarningsSource, number> {
  const of = (source: EarningsSource) => sumOf(buckets.map((bucket) => bucket[source]));
  return {
    mining: of('mining'),
    checkin: of('checkin'),
    tasks: of('tasks'),
    commission: of('commission'),
    claims: of('claims'),
  };
}

/** Returns a share in percent with one decimal, 63 of 100 as 63; 0 for an empty whole. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 1_000) / 10 : 0;
}
