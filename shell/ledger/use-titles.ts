import * as taskEndpoints from '@cord/contracts/addresses/tasks';
import { QUERY_STALE_MS } from '@cord/contracts/rules/timings';
import { type TextsOf, useQuery, useSdk, useStore, useTexts } from '@cord/sdk';
import { textLanguage } from '@cord/sdk/host';
import { formatCount, formatRate } from '@cord/ui';
import type { LedgerEntry } from './entry-view';
import { LEDGER_REASONS } from './reason-texts';

type Words = TextsOf<typeof LEDGER_REASONS>;

/** What each entry is called in the reader's language: English as it was written, others by its source and the task that it names. */
export function useTitles(entries: readonly LedgerEntry[] | undefined): (entry: LedgerEntry) => string {
  const words = useTexts(LEDGER_REASONS);
  const { api } = useSdk();
  const isSpoken = Object.keys(words).length > 0;
  const { data: tasks } = useQuery({
    queryKey: ['tasks', 'catalogue', useStore(textLanguage)],
    queryFn: ({ signal }) => api.call(taskEndpoints.list, { signal }),
    enabled: isSpoken && (entries?.some(({ source }) => source === 'task') ?? false),
    staleTime: QUERY_STALE_MS,
  });
  return (entry) => {
    if (!isSpoken || entry.source !== 'task') return reasonIn(words, entry);
    return tasks?.find(({ id }) => entry.id.startsWith(`task:${id}:`))?.title ?? entry.reason;
  };
}

/** The number in a reason is the rate that was mined at, or the day of the streak. */
function reasonIn(words: Words, { source, reason }: LedgerEntry): string {
  const number = Number(/\d+(?:\.\d+)?/.exec(reason)?.[0] ?? Number.NaN);
  const written = source === 'mining' ? formatRate(number) : formatCount(number);
  return words[source]?.replace('{number}', written) ?? reason;
}
