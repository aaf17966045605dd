import type { Source } from '@cord/contracts/events/balance';
import type { EarningsBucket } from '@cord/contracts/http/mining';

/** What earnings come from, from the ground up: the same order in chart, legend, table and speech. */
export const SOURCES = ['mining', 'checkin', 'tasks', 'commission', 'claims'] as const;
export type EarningsSource = (typeof SOURCES)[number];

/** Every source that has no place of its own. */
type Claim = Exclude<Source, 'mining' | 'checkin' | 'task' | 'commission' | 'correction'>;
const CLAIM = { welcome: 1, compensation: 1, cordclaim: 1, refbonus: 1, refwelcome: 1 } satisfies Record<Claim, 1>;
/** What claims are, in the order in which they are distinguished. */
export const CLAIMS = Object.keys(CLAIM) as Claim[];

/** Which entries of the ledger each one holds; claims are all that have no place of their own. */
export const LEDGER_SOURCES: Readonly<Record<EarningsSource, readonly Source[]>> = {
  mining: ['mining'],
  checkin: ['checkin'],
  tasks: ['task'],
  commission: ['commission'],
  claims: CLAIMS,
};

/** All entries that earnings are made of: a correction is none. */
export const EARNED: readonly Source[] = Object.values(LEDGER_SOURCES).flat();

const MICRO = 1e6;

/** Sums of amounts of at most six decimals, without what floats would add. @returns CORD */
export function sumOf(amounts: Iterable<number>): number {
  let micro = 0;
  for (const amount of amounts) micro += Math.round(amount * MICRO);
  return micro / MICRO;
}

/** What each source brought in some buckets, CORD. */
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

/** Part of a whole in percent with one decimal, 63 of 100 as 63; 0 where there is no whole. */
export function percentOf(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 1_000) / 10 : 0;
}
