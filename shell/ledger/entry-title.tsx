import { useTexts } from '@cord/sdk';
import { formatCount, formatRate } from '@cord/ui';
import { Place } from '../parts/place';
import type { LedgerEntry } from './entry-view';
import { LEDGER_REASONS } from './reason-texts';

/**
 * What an entry is called in the reader's language: English as it was written, others by its source: by a text of the shell, in which the number
 * of the reason stands (the rate that was mined at, or the day of the streak), or by the module that has a part at `ledger.<source>`.
 * @param unnamed what stands there where the entry has no reason
 */
export function EntryTitle({ entry, unnamed }: { entry: LedgerEntry; unnamed: string }) {
  const reasons = useTexts(LEDGER_REASONS);
  const { source } = entry;
  const reason = entry.reason || unnamed;
  if (Object.keys(reasons).length === 0) return reason;
  const text = reasons[source];
  if (text === undefined) return <Place name={`ledger.${source}`} entry={entry} instead={reason} />;
  const number = Number(/\d+(?:\.\d+)?/.exec(entry.reason)?.[0] ?? Number.NaN);
  return text.replace('{number}', source === 'mining' ? formatRate(number) : formatCount(number));
}
