import type { ResponseOf } from '@cord/contracts/endpoint';
import { miningEndpoints as endpoints } from '@cord/contracts/http/mining';
import { microToNumber } from '@cord/contracts/rules/money';
import { TEXTS } from '@cord/contracts/texts';
import type { Http } from '@cord/kit/http';
import { notFound } from '@cord/kit/problem';
import { type Bucket, bucketsOf, type Span, spanOf, summaryOf } from '../earnings/buckets.js';
import { daysInAccount, eachOnce } from '../earnings/days.js';
import type { EpochTable } from '../ledger/epochs.js';
import type { MiningNode } from '../node/node.js';
import type { Reads } from '../store/reads.js';

type Answer = ResponseOf<typeof endpoints.earnings>;

const HUNDRED = 100;

/**
 * What came from where, by UTC day or month: days that are over as they were relayed, today from the account itself
 * (interface.md, earnings). A year is a range of at most 366 small documents by id.
 */
export function mountEarnings(http: Http, node: MiningNode, reads: Reads): void {
  http.route(endpoints.earnings, async ({ user, query: { range } }) => {
    // The account was read before the days, so that one that is relayed in between is found twice, never missed.
    const seen = await node.look(user.id);
    if (!seen) throw notFound('unknown-user', TEXTS.userNotFound);
    const { account, moment } = seen;
    const span = spanOf(range, moment.nowMs);
    const stored = await reads.days(user.id, span.firstDay, span.lastDay);
    const buckets = bucketsOf(span, eachOnce(stored, daysInAccount(account)));
    const { totalMicro, averageMicro, best } = summaryOf(span, buckets, account.openedAtMs);
    return {
      range,
      unit: span.unit,
      buckets: buckets.map(shownBucket),
      total: microToNumber(totalMicro),
      average: microToNumber(averageMicro),
      best: best && { key: best.key, total: microToNumber(best.totalMicro) },
      epochs: epochsIn(span, moment.epochs, moment.nowMs),
    };
  });
}

/** A bucket as calls answer it. */
export function shownBucket({ key, parts, totalMicro, ranMs }: Bucket): Answer['buckets'][number] {
  return {
    key,
    mining: microToNumber(parts.mining),
    checkin: microToNumber(parts.checkin),
    tasks: microToNumber(parts.tasks),
    commission: microToNumber(parts.commission),
    claims: microToNumber(parts.claims),
    total: microToNumber(totalMicro),
    ranMs,
  };
}

function epochsIn({ fromMs }: Span, { spans }: EpochTable, nowMs: number): Answer['epochs'] {
  return spans
    .filter(({ startMs, endMs }) => startMs <= nowMs && endMs > fromMs)
    .map(({ id, name, hundredths, startMs }) => ({
      id,
      name: name ?? id,
      rewardsMultiplier: Number(hundredths) / HUNDRED,
      startDate: new Date(startMs).toISOString(),
    }));
}
