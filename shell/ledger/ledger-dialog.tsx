import * as miningEndpoints from '@cord/contracts/addresses/mining';
import { LEADERBOARD_REFETCH_MS } from '@cord/contracts/rules/timings';
import { Loaded, type LoadedQuery, useBalance, useSdk, useTexts, useUserId } from '@cord/sdk';
import { Button, EmptyState, formatCord, LedgerRows, Notice, Row, SkeletonRegion } from '@cord/ui';
import { Dialog } from '@cord/ui/overlays';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { CHECK_VIEW } from '../app/lazy-files';
import type { Overlay } from '../app/lazy-overlay';
import { useShell } from '../app/shell-context';
import { uniqueById } from '../app/unique-by-id';
import { byDay, byTime, entryRow, hourEntries, type LedgerEntry } from './entry-view';
import s from './ledger.module.css';
import { LEDGER_TEXTS } from './texts';

/** The ledger behind the balance: a paged history with reasons (services/mining/ledger/README.md#account-and-entries). */
export function LedgerDialog(overlay: Overlay) {
  const t = useTexts(LEDGER_TEXTS);
  return (
    <Dialog {...overlay} title={t.title} description={t.intro} width={600} testId="ledger">
      <Body />
      <CheckLink onLeave={() => overlay.onOpenChange(false)} />
    </Dialog>
  );
}

/** Link to the check of these entries. */
function CheckLink({ onLeave }: { onLeave: () => void }) {
  const t = useTexts(LEDGER_TEXTS);
  const { tabs } = useShell();
  const go = () => {
    onLeave();
    tabs.goToView('settings', CHECK_VIEW);
  };
  return (
    <Button icon={<ShieldCheck />} className={s.check} onClick={go}>
      {t.check}
    </Button>
  );
}

function Body() {
  const t = useTexts(LEDGER_TEXTS);
  const ledger = useLedger();
  const loading = <SkeletonRegion label={t.loading} heights={[56, 220]} />;
  return (
    <Loaded query={ledger.query} failed={t.failed} loading={loading}>
      {({ entries, open }) => (
        <>
          <Sums open={open} />
          <Days ledger={ledger} entries={entries} />
          <Earlier ledger={ledger} isEmpty={entries.length === 0} />
        </>
      )}
    </Loaded>
  );
}

/** Current balance, and its part without an entry yet: mining and commission. */
function Sums({ open }: { open: number }) {
  const t = useTexts(LEDGER_TEXTS);
  const { micro } = useBalance();
  return (
    <div className={s.sums}>
      <Row as="dl" gap="8px 32px" wrap>
        <div>
          <dt className="t-label">{t.balance}</dt>
          <dd className="t-strong" data-number>
            {t.amount({ amount: formatCord(micro) })}
          </dd>
        </div>
        <div>
          <dt className="t-label">{t.open}</dt>
          <dd className="t-strong" data-testid="ledger-open" data-value={open} data-number>
            {t.amount({ amount: formatCord(open) })}
          </dd>
        </div>
      </Row>
      <p className={s.help}>{t.openHelp}</p>
    </div>
  );
}

function Days({ ledger, entries }: { ledger: Ledger; entries: LedgerEntry[] }) {
  const t = useTexts(LEDGER_TEXTS);
  if (entries.length === 0) return <EmptyState title={t.emptyTitle}>{t.emptyText}</EmptyState>;
  const shown = byTime(entries);
  const above = new Map(shown.map((entry, index) => [entry.id, shown[index - 1]]));
  const ofHours = hourEntries(shown);
  const rowOf = (entry: (typeof shown)[number]) =>
    entryRow(entry, t, { withDay: false, above: above.get(entry.id), ofHour: ofHours.has(entry.id) });
  return (
    <div aria-busy={ledger.query.isFetching}>
      {byDay(shown).map(({ day, entries: ofDay }) => (
        <section key={`${day} ${ofDay[0]?.id}`} aria-label={day}>
          <h3 className={s.day}>{day}</h3>
          <LedgerRows rows={ofDay.map(rowOf)} />
        </section>
      ))}
    </div>
  );
}

/** Loads older entries, or shows that there are none. */
function Earlier({ ledger, isEmpty }: { ledger: Ledger; isEmpty: boolean }) {
  const t = useTexts(LEDGER_TEXTS);
  if (!ledger.hasMore) return isEmpty ? null : <p className={s.end}>{t.all}</p>;
  return (
    <div className={s.more}>
      {ledger.moreFailed && <Notice look="inline" tone="danger" title={t.moreFailed} announce />}
      <Button block needsServer loading={ledger.fetchingMore} loadingText={t.moreBusy} onClick={ledger.more}>
        {t.more}
      </Button>
    </div>
  );
}

const PAGE = 25;

interface Ledger {
  /** `open`: earned CORD without an entry yet. */
  query: LoadedQuery<{ entries: LedgerEntry[]; open: number }>;
  hasMore: boolean;
  moreFailed: boolean;
  fetchingMore: boolean;
  more(): void;
}

/** Returns the entries, newest first, page by page; read again each time the ledger opens. */
function useLedger(): Ledger {
  const { api } = useSdk();
  const userId = useUserId() ?? '';
  const pages = useInfiniteQuery({
    queryKey: ['ledger', userId, 'pages'],
    meta: { live: { balance: LEADERBOARD_REFETCH_MS } },
    queryFn: ({ pageParam, signal }) =>
      api.call(miningEndpoints.ledger, {
        params: { id: userId },
        query: { limit: String(PAGE), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    gcTime: 0,
    select: ({ pages: [first, ...rest] }) => ({
      entries: uniqueById([first, ...rest].flatMap((page) => page?.entries ?? [])),
      open: first?.open ?? 0,
    }),
  });
  return {
    query: pages,
    hasMore: pages.hasNextPage,
    moreFailed: pages.isFetchNextPageError,
    fetchingMore: pages.isFetchingNextPage,
    more: () => void pages.fetchNextPage(),
  };
}
