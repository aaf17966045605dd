import type { Source } from '@cord/contracts/events/balance';
import type { Account } from '../ledger/account.js';

/** Sums of a day by source, micro-CORD. */
export type BySource = Partial<Record<Source, bigint>>;

/** What a change of an account credited: by UTC day and source, micro-CORD. A day that came to an end with it counts to its end. */
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

/** What this process has credited since it began, by day; and which of it is newer than what was kept. */
export interface IssuedCount {
  /** Takes each written change of an account. */
  changed(change: { before: Account; after: Account }): void;
  /**
   * Keeps the sums of the days that have changed, each as it stands: the same again changes nothing, so that one whose outcome is
   * not known is kept again.
   */
  flush(): Promise<void>;
}

/** @param keep overwrites what this process has kept of a day */
export function countIssued(keep: (dayKey: string, bySource: BySource) => Promise<void>): IssuedCount {
  const days = new Map<string, BySource>();
  const changedDays = new Set<string>();
  return {
    changed({ before, after }) {
      for (const [key, sums] of issuedBy(before, after)) {
        for (const [name, micro] of Object.entries(sums) as [Source, bigint][]) add(days, key, name, micro);
        changedDays.add(key);
      }
    },
    async flush() {
      for (const key of [...changedDays].sort()) {
        // What comes while it is kept marks the day anew.
        changedDays.delete(key);
        try {
          await keep(key, { ...days.get(key) });
        } catch (error) {
          changedDays.add(key);
          throw error;
        }
      }
    },
  };
}

function add(days: Map<string, BySource>, key: string, source: Source, micro: bigint): void {
  const sums = days.get(key) ?? {};
  days.set(key, { ...sums, [source]: (sums[source] ?? 0n) + micro });
}
