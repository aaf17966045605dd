import type { CSSProperties, ReactNode } from 'react';
import { cx } from '../class-names';
import { Skeleton } from '../feedback/skeleton';
import s from './cells.module.css';

export interface CellsProps {
  /** Columns from 1024 px on. */
  columns?: 2 | 3 | 4 | undefined;
  /** Columns below 768 px: 2x2, or one under the other. */
  phoneColumns?: 1 | 2 | 3 | undefined;
  /** Without its own border, inside a card. */
  inset?: boolean | undefined;
  children: ReactNode;
  className?: string | undefined;
}

/** Numbers side by side in one panel with inner rules; `Cell`s are its children. */
export function Cells({ columns = 4, phoneColumns = 2, inset = false, children, className }: CellsProps) {
  return (
    <dl
      className={cx(s.cells, inset && s.inset, className)}
      style={{ '--columns': columns, '--phone-columns': phoneColumns } as CSSProperties}
    >
      {children}
    </dl>
  );
}

export interface CellProps {
  label: ReactNode;
  /** Already formatted; undefined is loading and shows a skeleton. */
  value: ReactNode;
  /** A small text after the value: "of 9", "CORD". */
  unit?: ReactNode;
  /** A line below the value. */
  hint?: ReactNode;
  /** A `WhyPopover` in the row of the label, which is 24 px high with or without it. */
  info?: ReactNode;
  /** An icon or `StatusDot` before the value. */
  mark?: ReactNode;
  size?: 'md' | 'lg' | 'xl' | undefined;
  /** Test id of the value element, which has the plain number in `data-value`. */
  testId?: string | undefined;
  dataValue?: string | number | undefined;
}

export function Cell({ label, value, unit, hint, info, mark, size = 'md', testId, dataValue }: CellProps) {
  return (
    <div className={s.cell}>
      <dt className={s.label}>
        <span>{label}</span>
        {info}
      </dt>
      <dd
        className={cx(s.value, s[size])}
        // Long numbers get a smaller font with the width of their cell; they never wrap or end in an ellipsis.
        style={typeof value === 'string' ? ({ '--chars': value.length } as CSSProperties) : undefined}
      >
        <div className={s.fit}>
          {value === undefined ? (
            <Skeleton width="6ch" height="0.9em" />
          ) : (
            <>
              {mark}
              <span data-number data-testid={testId} data-value={dataValue}>
                {value}
              </span>
              {unit !== undefined && <span className={s.unit}>{unit}</span>}
            </>
          )}
        </div>
      </dd>
      {hint !== undefined && <dd className="t-note">{hint}</dd>}
    </div>
  );
}

/** A filled dot beside a text such as Running; never use it alone. */
export function StatusDot({ tone = 'live' }: { tone?: 'live' | 'warn' | 'danger' | 'off' | undefined }) {
  return <span className={cx(s.dot, tone === 'off' && s.off)} data-tone={tone} aria-hidden="true" />;
}
