import { bookAt } from '@cord/contracts/rules/rule-book';
import { useRuleBooks, useSessionValue, useTexts } from '@cord/sdk';
import { formatCord, formatShort, type StrandAdds } from '@cord/ui';
import { type ReactNode, useId, useMemo, useRef } from 'react';
import s from './chart.module.css';
import { ColumnPieces } from './column';
import { EpochMarks } from './epoch-marks';
import { epochAt } from './epochs';
import { type ChartLayout, layOut, namedColumns, PHONE_BELOW } from './layout';
import { Patterns } from './patterns';
import { axisName } from './period-names';
import { strandsThen } from './strands-then';
import { StreakLine } from './streak-line';
import { EARNINGS_TEXTS } from './texts';
import type { Earnings } from './use-earnings';
import { useWidth } from './use-width';

/** CORD from which an axis label is abbreviated. */
const LABEL_SHORT_FROM = 100_000;
/** Width without a layout, px. */
const WIDTH_UNKNOWN = 720;
/** Height of the scale, px, and approximate number of its lines. */
const SIZES = {
  view: { desk: 400, phone: 216, lines: 5 },
  card: { desk: 132, phone: 128, lines: 2 },
} as const;

interface ChartProps {
  earnings: Earnings;
  size: keyof typeof SIZES;
  /** Index of the selected column, if selection is possible. */
  chosen?: number;
  /** Overlay for presses and keys. */
  children?: (layout: ChartLayout) => ReactNode;
}

/** Earnings as columns: a named picture; the table shows the same as text. */
export function EarningsChart({ earnings, size, chosen, children }: ChartProps) {
  const t = useTexts(EARNINGS_TEXTS);
  const figure = useRef<HTMLElement>(null);
  const id = useId().replace(/[^a-zA-Z0-9]/g, '');
  const width = useWidth(figure, WIDTH_UNKNOWN);
  const { periods, epochs, answer, range } = earnings;
  const byDay = answer.unit === 'day';
  const { lines, ...heights } = SIZES[size];
  const height = width < PHONE_BELOW ? heights.phone : heights.desk;
  const streak = byDay && earnings.streak !== null;
  const layout = useMemo(
    () => layOut(periods, { width, height, lines, streak }),
    [periods, width, height, lines, streak],
  );
  const { cords, cordOf } = useCords(earnings);
  const name = t.chartName({ range: t[`range.${range}`], total: formatCord(answer.total) });
  return (
    <figure className={s.figure} ref={figure} data-testid="earnings-chart">
      <svg className={s.chart} viewBox={`0 0 ${width} ${layout.height}`} fontSize={12} role="img" aria-label={name}>
        <Patterns id={id} width={layout.columnWidth} cords={cords} />
        {chosen !== undefined && <Chosen layout={layout} index={chosen} />}
        <Scale layout={layout} />
        {byDay && <EpochMarks layout={layout} epochs={epochs} />}
        {layout.columns.map((column, index) => (
          <ColumnPieces
            key={column.period.key}
            id={id}
            column={column}
            cord={cordOf[index] ?? 0}
            index={index}
            layout={layout}
          />
        ))}
        {streak && <StreakLine layout={layout} label={t.streak} />}
        <Names layout={layout} />
      </svg>
      {children?.(layout)}
    </figure>
  );
}

/** Returns the different cords of all columns, and the index of each column's cord. */
function useCords({ periods, epochs }: Earnings): { cords: StrandAdds[]; cordOf: number[] } {
  const multiplier = useSessionValue(({ user }) => user?.multiplier) ?? 1;
  const badge = useSessionValue(({ user }) => user?.hasbadgeofhonor) ?? false;
  const books = useRuleBooks();
  return useMemo(() => {
    const cords = new Map<string, StrandAdds>();
    const keys = periods.map((period) => {
      const middleMs = (period.startMs + period.endMs) / 2;
      const epoch = epochAt(epochs, middleMs);
      const adds = strandsThen(bookAt(books, middleMs), period, epoch?.factor ?? 1, { multiplier, badge });
      const key = JSON.stringify(adds);
      if (!cords.has(key)) cords.set(key, adds);
      return key;
    });
    const names = [...cords.keys()];
    return { cords: [...cords.values()], cordOf: keys.map((key) => names.indexOf(key)) };
  }, [periods, epochs, books, multiplier, badge]);
}

function Scale({ layout: { ticks, left, width, ground } }: { layout: ChartLayout }) {
  return (
    <g>
      {ticks.map(({ value, y }) => (
        <g key={value}>
          <line stroke={y === ground ? 'var(--edge)' : 'var(--line)'} x1={left} x2={width} y1={y} y2={y} />
          <text x={left - 8} y={y + 4} textAnchor="end">
            {value < LABEL_SHORT_FROM ? formatCord(value, { decimals: value % 1 === 0 ? 0 : 2 }) : formatShort(value)}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Labels under the columns: days or months, and the time before the account existed. */
function Names({ layout }: { layout: ChartLayout }) {
  const t = useTexts(EARNINGS_TEXTS);
  const { columns, columnWidth, step, left, width, labelY } = layout;
  const before = columns.filter(({ period }) => period.before).length * step;
  const last = columns.length - 1;
  return (
    <g>
      {namedColumns(layout, axisName).map((index) => {
        const { period, x } = columns[index] as ChartLayout['columns'][number];
        const ends = index === last && columns.length > 12;
        return (
          <text
            key={period.key}
            className={period.present ? s.now : period.before ? s.quiet : undefined}
            x={ends ? Math.min(width, x + columnWidth + 10) : x + columnWidth / 2}
            y={labelY}
            textAnchor={ends ? 'end' : 'middle'}
          >
            {axisName(period)}
          </text>
        );
      })}
      {columns.length > 12 && before > 130 && (
        <text x={left + before / 2} y={labelY} textAnchor="middle">
          {t.beforeJoined}
        </text>
      )}
    </g>
  );
}

function Chosen({ layout, index }: { layout: ChartLayout; index: number }) {
  const { columns, columnWidth, step, top, labelY } = layout;
  const column = columns[index];
  if (column === undefined) return null;
  const wide = Math.min(step, columnWidth + 7);
  return (
    <rect
      fill="var(--raised)"
      x={column.x - (wide - columnWidth) / 2}
      y={top - 6}
      width={wide}
      height={labelY - 14 - top + 6}
      rx={Math.min(6, wide / 2)}
    />
  );
}
