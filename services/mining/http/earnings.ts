import type { ResponseOf } from '@cord/contracts/endpoint';
import { miningEndpoints as endpoints } from '@cord/contracts/http/mining';
import { dayKey } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import { type Bucket, bucketsOf, type Span, spanOf, summaryOf } from '../earnings/buckets.js';
import { daysInAccount, mergeDays } from '../earnings/days.js';
import type { Account } from '../ledger/account.js';
import type { EpochTable } from '../ledger/epochs.js';
import { entriesWaiting, newestFirst } from '../ledger/waiting.js';
import type { MiningNode } from '../node/node.js';
import { accountNotOpenYet } from '../problems.js';
import type { Reads } from '../store/reads.js';

type Answer = ResponseOf<typeof endpoints.earnings>;

const HUNDRED = 100;
/** Maximum number of task claims counted in one response. Days with older claims show no number. */
const TASKS_COUNTED = 2_000;

/** Mounts earnings by source and UTC day or month. A year reads at most 366 small documents by id. */
export function mountEarnings(http: Http, node: MiningNode, reads: Reads): void {
  http.route(endpoints.earnings, async ({ user, query: { range } }) => {
    // The account is read before the days: a day that is relayed in between is found twice, never missed.
    const seen = await node.readSettled(user.id);
    if (!seen) throw accountNotOpenYet();
    const { account, moment } = seen;
    const span = spanOf(range, moment.nowMs);
    const stored = await reads.days(user.id, span.firstDay, span.lastDay);
    const buckets = bucketsOf(span, mergeDays(stored, daysInAccount(account)));
    const { totalMicro, averageMicro, best } = summaryOf(span, buckets, account.openedAtMs);
    const tasksOn = span.unit === 'day' ? await countTasks(seen.stored, span.fromMs, reads) : () => undefined;
    return {
      range,
      unit: span.unit,
      buckets: buckets.map((bucket) => ({ ...shownBucket(bucket), ...claimsOf(bucket), ...tasksOn(bucket.key) })),
      total: microToNumber(totalMicro),
      average: microToNumber(averageMicro),
      best: best && { key: best.key, total: microToNumber(best.totalMicro) },
      epochs: epochsIn(span, moment.epochs, moment.nowMs),
    };
  });
}

/** Counts the tasks claimed on each day since a time, by the index of their entries. */
async function countTasks(account: Account, fromMs: number, reads: Reads) {
  const waiting = entriesWaiting(account).filter(({ source, atMs }) => source === 'task' && atMs >= fromMs);
  const written = await reads.entriesOf(account, ['task'], fromMs, TASKS_COUNTED);
  const oldest = written.length < TASKS_COUNTED ? undefined : written.at(-1);
  const counted = new Map<string, number>();
  for (const { atMs } of newestFirst(waiting, written)) {
    const key = dayKey(atMs);
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  const isWhole = (key: string) => oldest === undefined || key > dayKey(oldest.atMs);
  return (key: string) => (isWhole(key) ? { tasksClaimed: counted.get(key) ?? 0 } : undefined);
}

function claimsOf({ claimsBy }: Bucket) {
  const amounts = Object.entries(claimsBy).map(([source, micro]) => [source, microToNumber(micro)]);
  return { claimsBy: Object.fromEntries(amounts) as Record<string, number> };
}

/** Converts a bucket to its shape in responses. */
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
