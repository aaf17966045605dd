import { RANKED_SOURCES, type Source } from '@cord/contracts/events/balance';
import { periodKeys } from '@cord/contracts/rules/days';
import type { Period, Totals } from './account.js';

const RANKED: ReadonlySet<Source> = new Set(RANKED_SOURCES);

/** What one credit or one stretch of mining adds. */
export interface Addition {
  readonly source: Source;
  readonly amountMicro: bigint;
  /** Any time within the day, week and month that it counts for. */
  readonly countsAtMs: number;
  /** When the new total was reached. */
  readonly reachedAtMs: number;
  /** Node time, 0 for credits. */
  readonly ranMs: number;
}

/** The totals after an addition. A period never turns back: a late addition counts in the newest period known. */
export function addToTotals(totals: Totals, add: Addition): Totals {
  const keys = periodKeys(add.countsAtMs);
  return {
    allMicro: totals.allMicro + add.amountMicro,
    allReachedAtMs: add.amountMicro > 0n ? add.reachedAtMs : totals.allReachedAtMs,
    day: addToPeriod(totals.day, keys.day, add),
    week: addToPeriod(totals.week, keys.week, add),
    month: addToPeriod(totals.month, keys.month, add),
    bySource: { ...totals.bySource, [add.source]: (totals.bySource[add.source] ?? 0n) + add.amountMicro },
  };
}

function addToPeriod(period: Period, key: string, add: Addition): Period {
  const turned = key > period.key;
  const base = turned ? { key, micro: 0n, miningMicro: 0n, ranMs: 0, reachedAtMs: add.reachedAtMs } : period;
  const ranked = RANKED.has(add.source) && add.amountMicro > 0n;
  return {
    key: base.key,
    micro: ranked ? base.micro + add.amountMicro : base.micro,
    miningMicro: add.source === 'mining' ? base.miningMicro + add.amountMicro : base.miningMicro,
    ranMs: base.ranMs + add.ranMs,
    reachedAtMs: ranked ? add.reachedAtMs : base.reachedAtMs,
  };
}
