import s from './chart.module.css';
import { type EpochSpan, epochLabel } from './epochs';
import { type ChartLayout, textWidth } from './layout';

const APART = 8;
const NAME_Y = 12;
/** Top of a line: the chart's top, or below a name over it. */
const LINE_Y = { free: 2, named: 20 };

interface Mark {
  /** Start, px; null for the epoch in force before the chart begins. */
  x: number | null;
  epoch: EpochSpan;
}

interface Name {
  key: string;
  text: string;
  /** Left and right edge, px. */
  from: number;
  to: number;
}

/** Marks the starts of epochs by a dotted line, with the names on both sides where they fit. */
export function EpochMarks({ layout, epochs }: { layout: ChartLayout; epochs: readonly EpochSpan[] }) {
  const marks = marksOf(layout, epochs);
  const names = namesOf(marks, layout);
  return (
    <g>
      {marks.map(({ epoch, x }) => {
        if (x === null) return null;
        const under = names.some(({ from, to }) => from < x && x < to);
        return (
          <line
            key={epoch.id}
            className={s.epochLine}
            x1={x}
            x2={x}
            y1={under ? LINE_Y.named : LINE_Y.free}
            y2={layout.ground}
          />
        );
      })}
      {names.map(({ key, text, from }) => (
        <text key={key} className={s.epochName} x={from} y={NAME_Y}>
          {text}
        </text>
      ))}
    </g>
  );
}

function marksOf({ columns, left, step }: ChartLayout, epochs: readonly EpochSpan[]): Mark[] {
  return epochs.flatMap((epoch): Mark[] => {
    const index = columns.findIndex(({ period }) => period.startMs <= epoch.startMs && epoch.startMs < period.endMs);
    if (index > 0) return [{ epoch, x: left + index * step }];
    return epoch.startMs <= (columns[0]?.period.endMs ?? 0) ? [{ epoch, x: null }] : [];
  });
}

/**
 * Places names from the latest epoch to the first: beside its line, and again before the next line where both fit.
 * The latest is always named; without space beside its line, its name ends with the chart and covers the line.
 */
function namesOf(marks: readonly Mark[], { left, width, phone }: ChartLayout): Name[] {
  const names: Name[] = [];
  let free = width;
  const put = (key: string, text: string, from: number) => {
    names.push({ key, text, from, to: from + textWidth(text) });
    free = from;
  };
  for (const [index, { x, epoch }] of [...marks.entries()].reverse()) {
    const text = epochLabel(epoch, phone);
    const needed = textWidth(text);
    const next = marks[index + 1]?.x ?? null;
    const to = Math.min(free, next ?? width) - APART;
    const from = (x ?? left) + APART;
    const room = to - from;
    if (next !== null && room >= (x === null ? needed : 2 * needed + APART)) put(`${epoch.id}/end`, text, to - needed);
    if (x !== null && room >= needed) put(epoch.id, text, from);
    else if (x !== null && next === null && needed <= width) put(epoch.id, text, width - needed);
  }
  return names;
}
