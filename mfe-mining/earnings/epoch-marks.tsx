import s from './chart.module.css';
import { type EpochSpan, epochLabel } from './epochs';
import { type ChartLayout, textWidth } from './layout';

const APART = 8;
const NAME_Y = 12;

interface Mark {
  /** Where it begins, px; null for the one that was there before the chart begins. */
  x: number | null;
  epoch: EpochSpan;
}

/** Where epochs begin: a dotted line with the name of either on its side, where there is room for it. */
export function EpochMarks({ layout, epochs }: { layout: ChartLayout; epochs: readonly EpochSpan[] }) {
  const { columns, left, step, width, phone, ground } = layout;
  const marks = epochs.flatMap((epoch): Mark[] => {
    const index = columns.findIndex(({ period }) => period.startMs <= epoch.startMs && epoch.startMs < period.endMs);
    if (index > 0) return [{ epoch, x: left + index * step }];
    return epoch.startMs <= (columns[0]?.period.endMs ?? 0) ? [{ epoch, x: null }] : [];
  });
  return (
    <g>
      {marks.map(({ epoch, x }, index) => {
        const label = epochLabel(epoch, phone);
        const room = (marks[index + 1]?.x ?? width) - (x ?? left) - 2 * APART;
        const next = marks[index + 1]?.x ?? null;
        const needed = textWidth(label);
        return (
          <g key={epoch.id}>
            {x !== null && <line className={s.epochLine} x1={x} x2={x} y1={2} y2={ground} />}
            {x !== null && room >= needed && (
              <text className={s.epochName} x={x + APART} y={NAME_Y}>
                {label}
              </text>
            )}
            {next !== null && room >= (x === null ? needed : 2 * needed + APART) && (
              <text className={s.epochName} x={next - APART} y={NAME_Y} textAnchor="end">
                {label}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}
