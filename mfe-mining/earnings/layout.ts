import { formatCord } from '@cord/ui';
import { ticks } from 'd3-array';
import type { Period } from './periods';
import { topOf } from './scale';
import { type EarningsSource, SOURCES } from './sources';

/** Space of the chart, px. */
export interface Room {
  width: number;
  /** Height of the scale. */
  height: number;
  /** Approximate number of lines. */
  lines: number;
  /** Whether a streak line is under the columns. */
  streak: boolean;
}

/** A source's piece of a column, from the ground up. */
export interface Piece {
  source: EarningsSource;
  /** Top edge, px from above. */
  y: number;
  height: number;
}

export interface Column {
  period: Period;
  /** Left edge, px. */
  x: number;
  pieces: Piece[];
  /** Sum of a column cut at the end of the scale; null when it fits. */
  cut: CutSum | null;
}

/** Sum of a cut column, with the middle and baseline of its text, px. */
export interface CutSum {
  text: string;
  x: number;
  y: number;
}

export interface ChartLayout {
  phone: boolean;
  width: number;
  height: number;
  /** Left edge of the first column's slot, and width of each slot, px. */
  left: number;
  step: number;
  columnWidth: number;
  /** End of the scale and the ground, px from above. */
  top: number;
  ground: number;
  streakY: number;
  labelY: number;
  ticks: { value: number; y: number }[];
  columns: Column[];
}

/** Space above the scale: names of epochs, and below them the sums of cut columns. */
const ABOVE = 44;
const SUM_AT = 14;
const SUM_LINE = 14;
const SUMS_APART = 6;
/** Space for the overshoot of cut columns, the streak and the days. */
const OVER = 6;
const STREAK_AT = 20;
const BELOW_STREAK = 28;
const LABEL_AT = 24;
const BELOW_LABEL = 6;
/** Width below which the phone layout is used, px. */
export const PHONE_BELOW = 560;
const LEFT = { phone: 46, desk: 60 };
const GAP = 1;

/** Computes the layout of the chart. */
export function layOut(periods: readonly Period[], { width, height, lines, streak }: Room): ChartLayout {
  const phone = width < PHONE_BELOW;
  const left = phone ? LEFT.phone : LEFT.desk;
  const step = (width - left) / Math.max(1, periods.length);
  const columnWidth = widthOf(step, periods.length);
  const buckets = periods.map(({ bucket }) => bucket);
  const most = topOf(buckets);
  const isCut = ({ bucket }: Period) => bucket.total > most * (1 + 1e-9);
  const sums = periods.flatMap((period, index): SumToPlace[] => {
    if (!isCut(period)) return [];
    const text = formatCord(period.bucket.total, { decimals: phone ? 0 : 2 });
    return [{ index, text, x: Math.min(left + (index + 0.5) * step, width - textWidth(text) / 2) }];
  });
  const lineOf = linesOf(sums);
  const top = ABOVE + Math.max(0, ...lineOf.values()) * SUM_LINE;
  const ground = top + height;
  // By hand: d3's linear scale adds colours, formats and interpolation, ten times the code that is needed.
  const y = (cord: number) => ground - (cord / most) * height;
  const columns = periods.map((period, index) => {
    let to = 0;
    const pieces = SOURCES.flatMap((source) => {
      const from = to;
      to += period.bucket[source];
      if (to <= from || from >= most) return [];
      const upper = to > most ? top - OVER : y(to);
      // One pixel between two pieces, and a minimum height for every piece.
      return { source, y: upper, height: Math.max(0.8, y(from) - upper - GAP) };
    });
    const sum = sums.find((each) => each.index === index);
    const cut = sum ? { text: sum.text, x: sum.x, y: top - SUM_AT - (lineOf.get(index) ?? 0) * SUM_LINE } : null;
    return { period, x: left + index * step + (step - columnWidth) / 2, pieces, cut };
  });
  const labelY = ground + LABEL_AT + (streak ? BELOW_STREAK : 0);
  const marks = ticks(0, most, lines).map((value) => ({ value, y: y(value) }));
  return {
    ...{ phone, width, left, step, columnWidth, top, ground, ticks: marks, columns, labelY },
    streakY: ground + STREAK_AT,
    height: labelY + BELOW_LABEL,
  };
}

interface SumToPlace {
  index: number;
  text: string;
  x: number;
}

/** Places each sum on the lowest line where it overlaps no other: adjacent columns may all be cut. */
function linesOf(sums: readonly SumToPlace[]): Map<number, number> {
  const endOf: number[] = [];
  return new Map(
    sums.map(({ index, text, x }) => {
      const half = textWidth(text) / 2;
      const free = endOf.findIndex((end) => end + SUMS_APART <= x - half);
      const line = free === -1 ? endOf.length : free;
      endOf[line] = x + half;
      return [index, line];
    }),
  );
}

/** 20 px for 30 days on wide charts, 34 for 7 days, 7 on phones. */
function widthOf(step: number, count: number): number {
  if (count > 20) return step >= 26 ? 20 : Math.max(3, Math.min(20, Math.max(7, Math.floor(step * 0.7)), step - 1.5));
  return Math.max(3, Math.min(34, Math.floor(step * 0.62)));
}

/** Returns the column nearest to a position, px from the left. */
export function columnAt({ left, step, columns }: Pick<ChartLayout, 'left' | 'step' | 'columns'>, x: number): number {
  return Math.max(0, Math.min(columns.length - 1, Math.floor((x - left) / step)));
}

/** Approximate width of a letter, px. */
const LETTER = 6.7;

export function textWidth(text: string): number {
  return text.length * LETTER;
}

const MONDAY = 1;
const APART = 10;
/** Maximum number of columns that all have names, or every second one. */
const FEW = 12;

/**
 * Returns the columns with a name: Mondays and the day the account was opened, or for few columns all that fit; none
 * overlaps the next.
 */
export function namedColumns({ columns, step }: ChartLayout, nameOf: (period: Period) => string): number[] {
  const last = columns.length - 1;
  const widths = columns.map(({ period }) => textWidth(nameOf(period)));
  const widest = Math.max(...widths);
  if (columns.length <= FEW) {
    const each = step < widest ? 2 : 1;
    return columns.flatMap((_, index) => ((last - index) % each === 0 ? index : []));
  }
  const named = [last];
  for (let index = last - 1; index >= 0 && columns[index]?.period.before === false; index -= 1) {
    const [next = last] = named;
    const opened = columns[index - 1]?.period.before === true;
    if (!opened && new Date(columns[index]?.period.startMs ?? 0).getUTCDay() !== MONDAY) continue;
    const needed = ((widths[index] ?? 0) + (widths[next] ?? 0)) / 2 + (next === last ? APART : 0);
    if ((next - index) * step >= needed) named.unshift(index);
  }
  return named;
}
