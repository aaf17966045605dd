import * as miningEndpoints from '@cord/contracts/addresses/mining';
import { LEADERBOARD_REFETCH_MS } from '@cord/contracts/rules/timings';
import { useQuery, useSdk, useTexts, useUserId } from '@cord/sdk';
import type { LedgerEntriesProps } from '@cord/sdk/host';
import { LedgerRows, LinkButton, Skeleton } from '@cord/ui';
import { entryRow } from './entry-view';
import s from './ledger.module.css';
import { LEDGER_TEXTS } from './texts';

/** Number of entries that a popover reads, and of those it shows. */
const READ = 100;
const SHOWN = 4;
const STALE_MS = 10_000;

/** The latest entries behind a number, inside "Why this number?". */
export function LedgerEntries({ sources, sinceMs = 0 }: LedgerEntriesProps) {
  const t = useTexts(LEDGER_TEXTS);
  const { api, ledger } = useSdk();
  const userId = useUserId() ?? '';
  const latest = useQuery({
    queryKey: ['ledger', userId, 'latest'],
    meta: { live: { balance: LEADERBOARD_REFETCH_MS } },
    queryFn: ({ signal }) =>
      api.call(miningEndpoints.ledger, { params: { id: userId }, query: { limit: String(READ) }, signal }),
    staleTime: STALE_MS,
  });
  const entries = latest.data?.entries
    .filter(({ source, at }) => (sources?.some((each) => each === source) ?? true) && Date.parse(at) >= sinceMs)
    .slice(0, SHOWN);
  return (
    <section className={s.latest} aria-label={t.latest}>
      <h3 className={s.latestTitle}>{t.latest}</h3>
      {entries === undefined ? (
        latest.isError ? (
          <p>{t.latestFailed}</p>
        ) : (
          <Skeleton height={64} />
        )
      ) : entries.length === 0 ? (
        <p>{latest.data?.nextCursor === null ? t.latestNone : t.latestNoneOf({ count: READ })}</p>
      ) : (
        <LedgerRows rows={entries.map((entry) => entryRow(entry, t, { withDay: true }))} compact />
      )}
      <LinkButton onClick={ledger.open}>{t.openLedger}</LinkButton>
    </section>
  );
}
