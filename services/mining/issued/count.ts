import type { Source } from '@cord/contracts/events/balance';
import type { Account } from '../ledger/account.js';

/** Sums of a day by source, micro-CORD. */
export type BySource = Partial<Record<Source, bigint>>;

/** Returns the amounts that a change of an account credited, by UTC day and source, micro-CORD. A day that ended with the change is counted to its end. */
export function issuedBy(before: Account, after: Account): Map<string, BySource> {
  const found = new Map<string, BySource>();
  if (after.totals.day === before.totals.day) return found;
  const ended = after.outbox.flatMap((item) =>
    item.kind === 'day' && item.seq > before.seq ? [{ key: item.day.dayKey, bySource: item.day.bySource }] : [],
  );
  for (const { key, bySource } of [...ended, after.totals.day]) {
    const former = key === before.totals.day.key ? before.totals.day.bySource : {};
    for (const [name, micro] of Object.entries(bySource) as [Source, bigint][]) {
      const more = micro - (former[name] ?? 0n);
      if (more !== 0n) add(found, key, name, more);
    }
  }
  return found;
}

function add(days: Map<string, BySource>, key: string, source: Source, micro: bigint): void {
  const sums = days.get(key) ?? {};
  days.set(key, { ...sums, [source]: (sums[source] ?? 0n) + micro });
}
