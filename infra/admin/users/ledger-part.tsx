import type * as at from '@cord/contracts/addresses/admin';
import type { ResponseOf } from '@cord/contracts/calls';
import { type TextsOf, useTabChoice, useTexts } from '@cord/sdk';
import { ChipGroup, type Column, formatCord, Row } from '@cord/ui';
import { exactChange, exactCord } from '../room/exact-change';
import { useMoments } from '../room/moments';
import { Foot, usePages } from '../room/pager';
import { PartOf } from './part';
import { TEXTS } from './texts';
import { SOURCES, useUserLedger } from './use-users';
import s from './users.module.css';

type Entry = ResponseOf<typeof at.ledger>['entries'][number];

/** The entries behind a balance, of all sources or of one, the newest first, page by page; nothing here can be changed. */
export function LedgerPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const [source, setSource] = useTabChoice('source', SOURCES);
  const columns = useColumns();
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

function useColumns(): Column<Entry>[] {
  const t = useTexts(TEXTS);
  const { second } = useMoments();
  return [
    { key: 'seq', head: t.seq, from: 768, cell: ({ seq }) => seq },
    { key: 'at', head: t.at, cell: ({ at }) => second(at) },
    { key: 'source', head: t.source, names: true, cell: ({ source }) => sourceName(t, source) },
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

/** A source of a newer release stands as it is. */
function sourceName(t: TextsOf<typeof TEXTS>, source: string): string {
  const text = (t as Readonly<Record<string, unknown>>)[`source.${source}`];
  return typeof text === 'string' ? text : source;
}

/** Keys name the user whose ledger this is, and name more without it. */
function keyOf(id: string): string {
  return id.replace(/[0-9a-f]{32}/g, '…');
}
