import { RANKED_SOURCES, type Source } from '@cord/contracts/events/balance';
import { periodKeys } from '@cord/contracts/rules/days';
import type { Day, Period, Totals } from './account.js';

const RANKED: ReadonlySet<Source> = new Set(RANKED_SOURCES);

/** The addition from one credit or one span of mining. */
interface Addition {
  readonly source: Source;
  readonly amountMicro: bigint;
  /** Any time within the day, week and month to which it counts. */
  readonly countsAtMs: number;
  /** When the new total was reached. */
  readonly reachedAtMs: number;
  /** Node time, ms; 0 for credits. */
  readonly ranMs: number;
}

/** Returns the totals after an addition. A period never goes back: a late addition counts in the newest known period. */
export function addToTotals(totals: Totals, add: Addition): Totals {
  const keys = periodKeys(add.countsAtMs);
  return {
    ...totals,
    allMicro: totals.allMicro + add.amountMicro,
    allReachedAtMs: add.amountMicro > 0n ? Math.max(totals.allReachedAtMs, add.reachedAtMs) : totals.allReachedAtMs,
    day: addToDay(totals.day, keys.day, add),
    week: addToPeriod(totals.week, keys.week, add),
    month: addToPeriod(totals.month, keys.month, add),
    bySource: plus(totals.bySource, add),
  };
}

/** Returns an empty day. @param key `2026-11-21`, or empty for an account without any day */
export function emptyDay(key: string, atMs: number): Day {
  return { key, micro: 0n, miningMicro: 0n, ranMs: 0, reachedAtMs: atMs, bySource: {} };
}

function addToDay(day: Day, key: string, add: Addition): Day {
  const period = addToPeriod(day, key, add);
  return { ...period, bySource: plus(period.key === day.key ? day.bySource : {}, add) };
}

function plus(bySource: Totals['bySource'], { source, amountMicro }: Addition): Totals['bySource'] {
  return amountMicro === 0n ? bySource : { ...bySource, [source]: (bySource[source] ?? 0n) + amountMicro };
}

function addToPeriod(period: Period, key: string, add: Addition): Period {
  const turned = key > period.key;
  const base = turned ? { key, micro: 0n, miningMicro: 0n, ranMs: 0, reachedAtMs: add.reachedAtMs } : period;
  const ranked = RANKED.has(add.source) && add.amountMicro > 0n;
  return {
    ...period,
    key: base.key,
    micro: ranked ? base.micro + add.amountMicro : base.micro,
    miningMicro: add.source === 'mining' ? base.miningMicro + add.amountMicro : base.miningMicro,
    ranMs: base.ranMs + add.ranMs,
    reachedAtMs: ranked ? Math.max(base.reachedAtMs, add.reachedAtMs) : base.reachedAtMs,
  };
}
