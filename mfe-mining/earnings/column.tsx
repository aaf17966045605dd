import s from './chart.module.css';
import type { ChartLayout, Column } from './layout';
import { patternOf, pitchOf } from './patterns';
import { LOBES } from './strands-then';

interface ColumnProps {
  id: string;
  column: Column;
  /** Index of its strands among the chart's cords. */
  cord: number;
  index: number;
  layout: Pick<ChartLayout, 'columnWidth' | 'top'>;
}

/** Offset of a column's pattern, in lobes: it differs between neighbours, so that equal strands form no bands across the chart. */
const beginsAt = (index: number) => (3 * index * index + 7 * index) % LOBES;
const CUT_AT = 22;

/** The earnings of a day as stacked pieces. */
export function ColumnPieces({ id, column, cord, index, layout }: ColumnProps) {
  const { columnWidth: width, top } = layout;
  const lay = beginsAt(index) * pitchOf(width);
  return (
    <g transform={`translate(${Math.round(column.x * 100) / 100} 0)`}>
      {column.pieces.map(({ source, y, height }) => {
        if (source === 'claims')
          return <ClaimsBox key={source} fill={patternOf(id, source, cord)} {...{ y, height, width }} />;
        const from = source === 'mining' ? lay : 0;
        return (
          <g key={source} transform={`translate(0 ${(y - from).toFixed(2)})`}>
            <rect
              y={from}
              width={width}
              height={height}
              rx={Math.min(1.5, height / 2)}
              fill={patternOf(id, source, cord)}
            />
          </g>
        );
      })}
      {column.cut && (
        <>
          <Cut y={top + CUT_AT} width={width} />
          <text className={s.sum} x={column.cut.x - column.x} y={column.cut.y} textAnchor="middle">
            {column.cut.text}
          </text>
        </>
      )}
    </g>
  );
}

/** Hollow box with an outline, for claims. */
export function ClaimsBox({ y, height, width, fill }: { y: number; height: number; width: number; fill: string }) {
  const inset = 0.7;
  const inner = Math.max(0.2, height - 2 * inset);
  return (
    <g transform={`translate(0 ${y.toFixed(2)})`}>
      <rect
        className={s.box}
        x={inset}
        y={inset}
        width={width - 2 * inset}
        height={inner}
        rx={Math.min(3, inner / 2)}
      />
      {height > width / 2 && <rect width={width} height={height} fill={fill} />}
    </g>
  );
}

/** Two slanted lines: the column exceeds the scale. */
function Cut({ y, width }: { y: number; width: number }) {
  const slant = (offset: number) => ({ x1: -3, x2: width + 3, y1: y + offset + 3, y2: y + offset - 3 });
  return (
    <>
      <line className={s.cutGap} {...slant(0)} />
      <line className={s.cutLine} {...slant(-2.6)} />
      <line className={s.cutLine} {...slant(2.6)} />
    </>
  );
}
