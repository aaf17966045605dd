import type * as miningEndpoints from '@cord/contracts/addresses/mining';
import type { ResponseOf } from '@cord/contracts/calls';
import { hourStartMs } from '@cord/contracts/rules/days';
import { formatDate, formatTime, type TextsOf, useTexts } from '@cord/sdk';
import { formatCord, formatCount, formatRate, type LedgerRow } from '@cord/ui';
import { Place } from '../parts/place';
import { LEDGER_REASONS } from './reason-texts';
import type { LEDGER_TEXTS } from './texts';

type T = TextsOf<typeof LEDGER_TEXTS>;
export type LedgerPage = ResponseOf<typeof miningEndpoints.ledger>;
export type LedgerEntry = LedgerPage['entries'][number];

interface RowOptions {
  withDay: boolean;
  /** The entry shown above it. */
  above?: LedgerEntry | undefined;
  /** Whether it represents its hour; then the row includes the hour's events. */
  ofHour?: boolean | undefined;
}

/** Returns an entry as a row: reason, time, amount, and the balance after it. */
export function entryRow(entry: LedgerEntry, t: T, { withDay, above, ofHour = false }: RowOptions): LedgerRow {
  const atMs = Date.parse(entry.at);
  const time = withDay ? `${formatDate(atMs)}, ${formatTime(atMs)}` : formatTime(atMs);
  return {
    id: entry.id,
    title: <EntryTitle entry={entry} unnamed={sourceName(entry.source, t)} />,
    note: (
      <>
        {t.note({ source: sourceName(entry.source, t), time })}
        {ofHour && <Place name="ledger.hour" entry={entry} instead={null} />}
      </>
    ),
    amount: entry.amount,
    after: above && isLater(entry, above) ? t.creditedLater : t.after({ amount: formatCord(entry.balance) }),
  };
}

function isLater(entry: LedgerEntry, than: LedgerEntry): boolean {
  return BigInt(entry.seq) > BigInt(than.seq);
}

/** Sorts by shown time, newest first: an hour's commission is credited after it, between other entries. */
export function byTime(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return [...entries].sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || (isLater(a, b) ? -1 : 1));
}

/** Returns the name of a source; an unknown one gets a general name. */
function sourceName(source: string, t: T): string {
  const key = `sources.${source}`;
  return key in t ? String(t[key as keyof T]) : t['sources.other'];
}

/** Returns the ids of the newest mining entry of each hour, so that an hour's events are shown once. */
export function hourEntries(newestFirst: readonly LedgerEntry[]): ReadonlySet<string> {
  const hours = new Map<number, string>();
  for (const { id, source, at } of newestFirst) {
    const hourMs = hourStartMs(Date.parse(at));
    if (source === 'mining' && !hours.has(hourMs)) hours.set(hourMs, id);
  }
  return new Set(hours.values());
}

export interface LedgerDay {
  day: string;
  entries: LedgerEntry[];
}

/** Groups entries by local day, in the given order. */
export function byDay(entries: readonly LedgerEntry[]): LedgerDay[] {
  const days: LedgerDay[] = [];
  for (const entry of entries) {
    const day = formatDate(Date.parse(entry.at));
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

/**
 * Title of an entry in the reader's language. English uses the stored reason; others use a text of the shell for the
 * source, with the number of the reason (rate or streak day), or the module's part at `ledger.<source>`.
 * @param unnamed title of an entry without a reason
 */
function EntryTitle({ entry, unnamed }: { entry: LedgerEntry; unnamed: string }) {
  const reasons = useTexts(LEDGER_REASONS);
  const { source } = entry;
  const reason = entry.reason || unnamed;
  if (Object.keys(reasons).length === 0) return reason;
  const text = reasons[source];
  if (text === undefined) return <Place name={`ledger.${source}`} entry={entry} instead={reason} />;
  const number = Number(/\d+(?:\.\d+)?/.exec(entry.reason)?.[0] ?? Number.NaN);
  return text.replace('{number}', source === 'mining' ? formatRate(number) : formatCount(number));
}
