import type { Source } from '@cord/contracts/events/balance';
import { overviewEndpoints as endpoints } from '@cord/contracts/http/overview';
import { microToNumber } from '@cord/contracts/rules/money';
import type { DaySums } from '@cord/kit/day-sums';
import type { Http } from '@cord/kit/http';
import { bucketsOf, spanOf } from '../earnings/buckets.js';
import { isLate, type LastMemo, type LastRoot, type LastWitnesses } from '../roots/figures.js';
import type { LastAudit } from '../store/audit-figures.js';
import { shownBucket } from './earnings.js';

/**
 * Mounts the sums credited to all accounts, by UTC day or month. Each replica counts its own writes and stores the sums
 * every few seconds. A killed replica loses its last seconds here; the ledger has them, and `npx cord audit` sums it up.
 */
export function mountIssued(
  http: Http,
  deps: {
    issued: DaySums<Source>;
    lastAudit: LastAudit;
    lastRoot: LastRoot;
    lastMemo: LastMemo;
    lastWitnesses: LastWitnesses;
    now: () => number;
  },
): void {
  const { issued, lastAudit, lastRoot, lastMemo, lastWitnesses, now } = deps;
  http.route(endpoints.issued, async ({ query: { range } }) => {
    const span = spanOf(range, now());
    const figures = [issued.first(), lastAudit(), lastRoot(), lastMemo(), lastWitnesses()] as const;
    const [countedSince, audit, root, memo, witnesses] = await Promise.all(figures);
    // The first counted day is before the range, or in it.
    const from = countedSince !== null && countedSince < span.firstDay ? countedSince : span.firstDay;
    const all = await issued.between(from, span.lastDay);
    const days = all.filter(({ dayKey }) => dayKey >= span.firstDay);
    const buckets = bucketsOf(
      span,
      days.map(({ dayKey, sums }) => ({ userId: '', dayKey, bySource: sums, ranMs: 0 })),
    );
    return {
      range,
      unit: span.unit,
      buckets: buckets.map(shownBucket),
      total: microToNumber(buckets.reduce((sum, { totalMicro }) => sum + totalMicro, 0n)),
      inAll: microToNumber(
        all.flatMap(({ sums }) => Object.values(sums)).reduce((sum, micro) => sum + (micro ?? 0n), 0n),
      ),
      countedSince,
      audit: audit && {
        at: new Date(audit.atMs).toISOString(),
        accounts: audit.accounts,
        drift: microToNumber(BigInt(audit.driftMicro)),
      },
      root: root && {
        day: root.day,
        at: new Date(root.atMs).toISOString(),
        accounts: root.accounts,
        size: root._id + 1,
        late: isLate(root, now()),
        memo: shownMemo(memo),
        witnesses: witnesses.map(({ name, size, atMs }) => ({
          ...{ name, size },
          at: atMs === null ? null : new Date(atMs).toISOString(),
        })),
      },
    };
  });
}

/** Null when no memos are written; `last` is null before the first memo. */
function shownMemo({ signer, head }: Awaited<ReturnType<LastMemo>>) {
  if (signer === null) return null;
  const { slot, signature, atMs } = head?.memo ?? {};
  if (!head || slot === undefined || signature === undefined || atMs === undefined) return { signer, last: null };
  return { signer, last: { size: head._id, slot, signature, at: new Date(atMs).toISOString() } };
}
