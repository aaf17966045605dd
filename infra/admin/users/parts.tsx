import type * as at from '@cord/contracts/addresses/admin';
import type { ResponseOf } from '@cord/contracts/calls';
import type { UserSession } from '@cord/contracts/http/admin';
import type { MiningSession } from '@cord/contracts/http/mining';
import { deviceIn } from '@cord/contracts/rules/device';
import { Loaded, type LoadedQuery, useTabChoice, useTexts } from '@cord/sdk';
import {
  ChipGroup,
  type Column,
  EmptyState,
  formatCord,
  formatPercent,
  formatRate,
  Row,
  SkeletonRegion,
  StatusDot,
  Table,
  UNKNOWN,
} from '@cord/ui';
import type { ReactNode } from 'react';
import { exactChange, exactCord } from '../room/amounts';
import { useMoments } from '../room/moments';
import { Foot, usePages } from '../room/pager';
import { textOr } from '../room/texts';
import { TEXTS as SUPPORT_TEXTS } from '../support/texts';
import { TEXTS } from './texts';
import { SOURCES, useUserLedger, useUserMining, useUserSessions } from './use-users';
import type { Account } from './user-page';
import s from './users.module.css';

interface PartProps<T, R> {
  query: LoadedQuery<T> & { isPlaceholderData: boolean };
  failed: string;
  caption: string;
  columns: readonly Column<R>[];
  rowsOf: (data: T) => readonly R[];
  rowKey: (row: R) => string;
  /** The text of an empty list. */
  empty: { title: string; text: string };
  /** Content below the table, also if it is empty. */
  foot?: (data: T) => ReactNode;
}

/** Placeholder while a part loads. @param height px */
export const partLoading = (height: number) => <SkeletonRegion className={s.loading} heights={[height]} />;

/** A table of an account's page in any state: loading, failed, empty or loaded. */
export function PartOf<T, R>({ query, failed, rowsOf, empty, foot, ...table }: PartProps<T, R>) {
  return (
    <Loaded query={query} failed={failed} loading={partLoading(240)}>
      {(data) => (
        <>
          {rowsOf(data).length === 0 ? (
            <EmptyState title={empty.title} level={2}>
              {empty.text}
            </EmptyState>
          ) : (
            <div aria-busy={query.isPlaceholderData}>
              <Table dense {...table} rows={rowsOf(data)} />
            </div>
          )}
          {foot?.(data)}
        </>
      )}
    </Loaded>
  );
}

/** Sign-in sessions of an account. */
export function SessionsPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  const texts = { of: t.deviceOf, unknown: t.deviceUnknown };
  const columns: Column<UserSession>[] = [
    { key: 'device', head: t.device, names: true, cell: ({ device }) => deviceIn(texts, device) },
    { key: 'begun', head: t.signedIn, cell: ({ createdAt }) => minute(createdAt) },
    { key: 'seen', head: t.seen, align: 'right', cell: ({ lastSeenAt }) => minute(lastSeenAt) },
  ];
  return (
    <PartOf
      query={useUserSessions(userId)}
      failed={t.signinsFailed}
      caption={t['part.signins']}
      columns={columns}
      rowsOf={({ sessions }) => sessions}
      rowKey={({ createdAt, device }) => `${createdAt} ${device}`}
      empty={{ title: t.noSignins, text: t.noSigninsText }}
    />
  );
}

const KINDS = ['support', 'appeal', 'refund'] as const;
const STATES = ['open', 'answered', 'closed'] as const;

/** Support requests of an account, each linked to its case. */
export function CasesPart({ account }: { account: Account }) {
  const t = useTexts(TEXTS);
  const support = useTexts(SUPPORT_TEXTS);
  const { minute } = useMoments();
  const cases = casesOf(account.support);
  if (cases.length === 0) {
    return (
      <EmptyState title={t.noCases} level={2}>
        {t.noCasesText}
      </EmptyState>
    );
  }
  return (
    <ul className={s.cases}>
      {cases.map(({ id, kind, status, subject, createdAt }) => (
        <li key={id}>
          <a href={`?${new URLSearchParams({ tab: 'admin', view: 'support', case: id })}`}>{subject}</a>
          <span className="t-note">
            {support[`kind.${kind}`]}, {support[`states.${status}`]}, {minute(createdAt)}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface CaseOf {
  id: string;
  kind: (typeof KINDS)[number];
  status: (typeof STATES)[number];
  subject: string;
  createdAt: string;
}

/** The record may come from a newer service: entries that are not cases are skipped. */
function casesOf(support: unknown): CaseOf[] {
  return Array.isArray(support) ? support.filter(isCase) : [];
}

function isCase(one: unknown): one is CaseOf {
  const { id, kind, status, subject, createdAt } = (one ?? {}) as Partial<Record<keyof CaseOf, unknown>>;
  return (
    [id, subject, createdAt].every((text) => typeof text === 'string') &&
    (KINDS as readonly unknown[]).includes(kind) &&
    (STATES as readonly unknown[]).includes(status)
  );
}

/** Mining sessions, newest first, in pages. */
export function MiningPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const columns = useMiningColumns();
  const pages = usePages();
  const mining = useUserMining(userId, pages.cursor);
  return (
    <PartOf
      query={mining}
      failed={t.miningFailed}
      caption={t['part.mining']}
      columns={columns}
      rowsOf={({ sessions }) => sessions}
      rowKey={({ id }) => id}
      empty={{ title: t.noMining, text: t.noMiningText }}
      foot={({ nextCursor }) => <Foot pages={pages} nextCursor={nextCursor} next={t.olderSessions} />}
    />
  );
}

function useMiningColumns(): Column<MiningSession>[] {
  const t = useTexts(TEXTS);
  const { minute } = useMoments();
  return [
    { key: 'began', head: t.began, names: true, cell: ({ startedAt }) => minute(startedAt) },
    {
      key: 'ended',
      head: t.ended,
      from: 768,
      cell: ({ endedAt }) => (endedAt === null ? UNKNOWN : minute(endedAt)),
    },
    {
      key: 'state',
      head: t.state,
      cell: ({ status }) => (
        <Row as="span" inline gap={6} align="center">
          {status === 'active' && <StatusDot tone="live" />}
          {t[`mining.${status}`]}
        </Row>
      ),
    },
    { key: 'rate', head: t.rate, align: 'right', from: 1024, cell: ({ rate }) => formatRate(rate) },
    {
      key: 'efficiency',
      head: t.efficiency,
      align: 'right',
      from: 1024,
      cell: ({ efficiency }) => formatPercent(efficiency),
    },
    { key: 'credited', head: t.credited, align: 'right', cell: ({ earnings }) => `+${formatCord(earnings)}` },
  ];
}

type Entry = ResponseOf<typeof at.ledger>['entries'][number];

/** Ledger entries of one or all sources, newest first, in pages. They cannot be changed. */
export function LedgerPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const [source, setSource] = useTabChoice('source', SOURCES);
  const columns = useLedgerColumns();
  const pages = usePages(source);
  const ledger = useUserLedger(userId, { source, cursor: pages.cursor });
  const nameOf = (value: (typeof SOURCES)[number]) => (value === 'all' ? t.allSources : t[`source.${value}`]);
  const { count, nextCursor } = ledger.data ?? {};
  const nothing =
    source === 'all'
      ? { title: t.noEntries, text: t.noEntriesText }
      : nextCursor == null
        ? { title: t.noneOf({ source: nameOf(source) }), text: t.noEntriesText }
        : { title: t.noneHere({ source: nameOf(source) }), text: t.noneHereText };
  return (
    <>
      <Row gap="8px 16px" align="center" between wrap className={s.sources}>
        <ChipGroup
          label={t.sources}
          value={source}
          options={SOURCES.map((value) => ({ value, label: nameOf(value) }))}
          onChange={setSource}
        />
        {count !== undefined && <span className="t-note">{t.entries({ count })}</span>}
      </Row>
      <PartOf
        query={ledger}
        failed={t.ledgerFailed}
        caption={t['part.ledger']}
        columns={columns}
        rowsOf={({ entries }) => entries}
        rowKey={({ id }) => id}
        empty={nothing}
        foot={({ open, nextCursor }) => (
          <Foot pages={pages} nextCursor={nextCursor} next={t.older}>
            {t.openNow({ amount: formatCord(open) })}
          </Foot>
        )}
      />
    </>
  );
}

function useLedgerColumns(): Column<Entry>[] {
  const t = useTexts(TEXTS);
  const { second } = useMoments();
  return [
    { key: 'seq', head: t.seq, from: 768, cell: ({ seq }) => seq },
    { key: 'at', head: t.at, cell: ({ at }) => second(at) },
    { key: 'source', head: t.source, names: true, cell: ({ source }) => textOr(t, `source.${source}`, source) },
    {
      key: 'key',
      head: t.key,
      from: 1024,
      cell: ({ id, reason }) => (
        <code className={s.code} title={reason}>
          {keyOf(id)}
        </code>
      ),
    },
    { key: 'amount', head: t.amount, align: 'right', cell: ({ amount }) => exactChange(amount) },
    { key: 'after', head: t.after, align: 'right', from: 768, cell: ({ balance }) => exactCord(balance) },
  ];
}

/** Removes the user id from an idempotency key: it is the same in all entries of this ledger. */
function keyOf(id: string): string {
  return id.replace(/[0-9a-f]{32}/g, '…');
}
