import type { ReactNode } from 'react';
import { cx } from '../class-names';
import { rem } from '../rem';
import s from './table.module.css';

export interface Column<Row> {
  key: string;
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned right. */
  align?: 'left' | 'right' | undefined;
  /** The column that names the row: a row header. */
  names?: boolean | undefined;
  /** Left out below this width in px. */
  from?: 768 | 1024 | undefined;
  width?: string | undefined;
}

export interface TableProps<Row> {
  /** Visually hidden; read by screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Lower rows with smaller type, for long tables. */
  dense?: boolean | undefined;
  className?: string | undefined;
}

/** A table with lines between rows; it reaches the border of a `Card padding="none"`. */
export function Table<Row>({ caption, columns, rows, rowKey, dense = false, className }: TableProps<Row>) {
  const classOf = (column: Column<Row>) =>
    cx(column.align === 'right' && s.right, column.from !== undefined && `l-from${column.from}`);
  return (
    <table className={cx(s.table, dense && s.dense, className)}>
      <caption className="t-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col" className={classOf(column)} style={{ width: rem(column.width) }}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) =>
              column.names ? (
                <th key={column.key} scope="row" className={classOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.key} className={classOf(column)}>
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
