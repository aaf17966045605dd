import s from './chart.module.css';
import type { ChartLayout } from './layout';
import type { StreakMark } from './periods';

const KNOT = { desk: 6.5, phone: 2.8 };
/** Minimum width of a slot for a check in its knot, px. */
const CHECKS_FROM = 17;

/** Marks that the cord passes through. */
const HOLDS: ReadonlySet<StreakMark | null> = new Set<StreakMark>(['kept', 'excused']);

/** The streak under the columns: checks on a cord, an empty knot for an excused day, a cross for a missed one, a ring for today. */
export function StreakLine({ layout, label }: { layout: ChartLayout; label: string }) {
  const { columns, columnWidth, step, streakY: y, phone, left } = layout;
  const checks = step >= CHECKS_FROM;
  const radius = checks ? KNOT.desk : KNOT.phone;
  const middle = (index: number) => (columns[index]?.x ?? 0) + columnWidth / 2;
  const markAt = (index: number) => columns[index]?.period.mark ?? null;
  return (
    <g>
      {!phone && (
        <text x={left - 10} y={y + 4} textAnchor="end">
          {label}
        </text>
      )}
      {columns.map(({ period: { key } }, index) => {
        if (!HOLDS.has(markAt(index - 1))) return null;
        const mark = markAt(index);
        if (!HOLDS.has(mark) && mark !== 'open') return null;
        return (
          <line
            key={key}
            className={mark === 'open' ? s.awaited : s.thread}
            x1={middle(index - 1)}
            x2={middle(index)}
            y1={y}
            y2={y}
            strokeWidth={checks ? undefined : 1.5}
          />
        );
      })}
      {columns.map(({ period: { key, mark } }, index) => {
        const at = `translate(${middle(index).toFixed(2)} ${y})`;
        if (mark === null) return null;
        if (mark === 'open')
          return <circle key={key} className={s.openRing} transform={at} r={Math.max(2.6, radius - 1.2)} />;
        if (mark === 'excused')
          return <circle key={key} className={s.excused} transform={at} r={Math.max(2.2, radius - 1)} />;
        if (mark === 'missed') {
          const arm = checks ? 4.5 : 2;
          return (
            <path
              key={key}
              className={s.missed}
              transform={at}
              d={`M${-arm} ${-arm}L${arm} ${arm}M${-arm} ${arm}L${arm} ${-arm}`}
            />
          );
        }
        return (
          <g key={key} transform={at}>
            <circle fill="var(--bar)" r={radius} />
            {checks && <path className={s.check} d="M-2.8 0.2L-0.8 2.2L2.9 -1.9" />}
          </g>
        );
      })}
    </g>
  );
}
