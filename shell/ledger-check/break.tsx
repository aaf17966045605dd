import { useTexts } from '@cord/sdk';
import { type Column, cx, formatCord, Table } from '@cord/ui';
import { LEDGER_TEXTS } from '../ledger/texts';
import type { ComparedEntry } from './check';
import s from './check-view.module.css';
import { CHECK_TEXTS } from './texts';

/** Characters of a hash that are shown. */
const SHOWN = 12;

/** The entry that does not match between its neighbours, with the hash that each has and the one that is computed. */
export function Break({ around }: { around: readonly ComparedEntry[] }) {
  const t = useTexts(CHECK_TEXTS);
  const sources = useTexts(LEDGER_TEXTS);
  const sourceOf = (source: string) => {
    const key = `sources.${source}`;
    return key in sources ? sources[key as 'sources.mining'] : sources['sources.other'];
  };
  const hash = (text: string, isWrong: boolean) => (
    <code className={cx(s.hash, isWrong && 'c-danger')}>{text.slice(0, SHOWN)}</code>
  );
  const columns: Column<ComparedEntry>[] = [
    { key: 'n', head: t.entry, cell: ({ n }) => n, names: true },
    {
      key: 'what',
      head: t.what,
      cell: ({ source, amount }) => t.amountOf({ source: sourceOf(source), amount: formatCord(amountOf(amount)) }),
      from: 768,
    },
    { key: 'has', head: t.has, cell: ({ has }) => hash(has, false) },
    { key: 'computed', head: t.computed, cell: ({ has, computed }) => hash(computed, computed !== has) },
  ];
  if (around.length === 0) return null;
  return (
    <>
      <h3 className={s.subhead}>{t.breaks}</h3>
      <Table caption={t.breaksCaption} columns={columns} rows={around} rowKey={({ n }) => n} className={s.breaks} />
      <p className="t-note t-break">{t.breaksText}</p>
    </>
  );
}

/** An amount that nobody has checked. */
const amountOf = (text: string): bigint | null => (/^-?\d{1,19}$/.test(text) ? BigInt(text) : null);
