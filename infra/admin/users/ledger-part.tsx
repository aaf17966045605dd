import type * as at from '@cord/contracts/addresses/admin';
import type { ResponseOf } from '@cord/contracts/calls';
import { type TextsOf, useTexts } from '@cord/sdk';
import { type Column, formatCord, Table } from '@cord/ui';
import { second } from '../room/moments';
import { Pager, usePages } from '../room/pager';
import { PartOf } from './part';
import { TEXTS } from './texts';
import { useUserLedger } from './use-users';
import s from './users.module.css';

type Entry = ResponseOf<typeof at.ledger>['entries'][number];

/** The entries behind a balance, the newest first, page by page; nothing here can be changed. */
export function LedgerPart({ userId }: { userId: string }) {
  const t = useTexts(TEXTS);
  const pages = usePages();
  const ledger = useUserLedger(userId, pages.cursor);
  return (
    <PartOf
      asked={ledger}
      failed={t.ledgerFailed}
      empty={{
        title: t.noEntries,
        text: t.noEntriesText,
        is: ({ entries, open }) => entries.length === 0 && open === 0,
      }}
    >
      {({ entries, open, nextCursor }) => (
        <>
          <div aria-busy={ledger.isPlaceholderData}>
            <Table
              className={s.table}
              caption={t['part.ledger']}
              columns={columnsOf(t)}
              rows={entries}
              rowKey={({ id }) => id}
            />
          </div>
          <footer className={s.foot}>
            <span>{t.openNow({ amount: formatCord(open) })}</span>
            <Pager pages={pages} nextCursor={nextCursor} next={t.older} />
          </footer>
        </>
      )}
    </PartOf>
  );
}

function columnsOf(t: TextsOf<typeof TEXTS>): Column<Entry>[] {
  return [
    { key: 'seq', head: t.seq, from: 768, cell: ({ seq }) => seq },
    { key: 'at', head: t.at, cell: ({ at }) => second(at) },
    { key: 'source', head: t.source, names: true, cell: ({ source }) => source },
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
    { key: 'amount', head: t.amount, align: 'right', cell: ({ amount }) => `+${formatCord(amount)}` },
    { key: 'after', head: t.after, align: 'right', from: 768, cell: ({ balance }) => formatCord(balance) },
  ];
}

/** Keys name the user whose ledger this is, and say more without it. */
function keyOf(id: string): string {
  return id.replace(/[0-9a-f]{32}/g, '…');
}
