import type { ReactNode } from 'react';
import { formatMultiplier, formatRate } from '../format';
import { rem } from '../rem';
import { Row } from '../surfaces/layout';
import { uiText } from '../ui-texts';
import s from './rate-table.module.css';

export type StrandKey = 'base' | 'age' | 'epoch' | 'badge' | 'antiCheat';

export interface RateRow {
  key: StrandKey;
  /** "Account age, 5.4 years". */
  label: ReactNode;
  /** 3.5; not shown for the base. */
  factor: number;
  /** CORD per minute; below 0 for a penalty. */
  adds: number;
  /** Whether it changes the rate; an idle factor is hollow and grey. */
  active: boolean;
}

export interface RateTableProps {
  rows: readonly RateRow[];
  /** "Your rate". */
  totalLabel: string;
  totalFactor: number;
  /** CORD per minute. */
  total: number;
  /** Heads of the columns. */
  heads?: readonly [string, string, string] | undefined;
}

/** Strand key, factor, amount added, total: the body of "Why this number?" for a rate. */
export function RateTable({
  rows,
  totalLabel,
  totalFactor,
  total,
  heads = [uiText('whyRate'), uiText('whyFactor'), uiText('whyAdds')],
}: RateTableProps) {
  return (
    <table className={s.table}>
      <thead>
        <tr>
          <th scope="col">{heads[0]}</th>
          <th scope="col">{heads[1]}</th>
          <th scope="col">{heads[2]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key} className={row.active ? undefined : s.idle}>
            <th scope="row">
              <Row as="span" gap="2px 10px" align="center" wrap>
                <StrandMark strand={row.active && row.key !== 'antiCheat' ? row.key : 'void'} />
                <span style={LABEL}>{row.label}</span>
              </Row>
            </th>
            <td>{row.key !== 'base' && formatMultiplier(row.factor)}</td>
            <td className={s.adds}>{formatRate(row.adds, { signed: row.key !== 'base' && row.adds > 0 })}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{totalLabel}</th>
          <td>{formatMultiplier(totalFactor)}</td>
          <td>{formatRate(total)}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** The name, beside the mark if there is room, otherwise below it. */
const LABEL = { flex: `1 1 ${rem(72)}` };

const MARK = 'M5 10 C8 9.5 12 4.5 15 4';
const MARK_BOX = {
  style: { width: rem(20), height: rem(14) },
  viewBox: '0 0 20 14',
  fill: 'none',
  strokeLinecap: 'round',
} as const;

/** A short piece of one strand: the key of its colour. */
export function StrandMark({ strand }: { strand: 'base' | 'age' | 'epoch' | 'badge' | 'void' }) {
  return (
    <svg className="l-fixed" {...MARK_BOX} aria-hidden="true">
      <path stroke={strand === 'void' ? 'var(--edge)' : `var(--y-${strand})`} strokeWidth="7" d={MARK} />
      {strand === 'void' && <path stroke="var(--raised)" strokeWidth="5" d={MARK} />}
    </svg>
  );
}
