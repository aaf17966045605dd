import type { ReactNode } from 'react';
import { cx } from '../class-names';
import { type CordValue, formatCord } from '../format';
import s from './ledger-rows.module.css';

export interface LedgerRow {
  id: string;
  /** Why: "Daily check-in, day 4 of the streak". */
  title: ReactNode;
  /** What kind and when: "Task, 11:03". */
  note: ReactNode;
  /** What came, or went. */
  amount: CordValue;
  /** The balance it left: "48,213.57 after". */
  after?: ReactNode;
}

export interface LedgerRowsProps {
  rows: readonly LedgerRow[];
  /** Inside a popover: closer, and without the balance after. */
  compact?: boolean | undefined;
}

/** Entries of the ledger, one under the other, amounts aligned. */
export function LedgerRows({ rows, compact = false }: LedgerRowsProps) {
  return (
    <ol className={cx('l-lines', compact && s.compact)}>
      {rows.map(({ id, title, note, amount, after }) => (
        <li key={id} className={s.row}>
          <div className="l-narrow">
            <p className={s.title}>{title}</p>
            <p className="t-note">{note}</p>
          </div>
          <div className={s.sums}>
            <p className={s.amount}>{formatCord(amount, { signed: true })}</p>
            {!compact && after !== undefined && <p className="t-note">{after}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
