import { formatCord } from '@cord/ui';
import { ticks } from 'd3-array';
import type { Period } from './periods';
import { topOf } from './scale';
import { type EarningsSource, SOURCES } from './sources';

/** What the chart lies in, px. */
export interface Room {
  width: number;
  /** From the ground to the end of the scale. */
  height: number;
  /** About so many lines across. */
  lines: number;
  /** Whether a line of the streak stands under the columns. */
  streak: boolean;
}

/** One source's piece of a column, from the ground up. */
export interface Piece {
  source: EarningsSource;
  /** Its upper end, px from above. */
  y: number;
  height: number;
}

export interface Column {
  period: Period;
  /** Left edge, px. */
  x: number;
  pieces: Piece[];
  /** It goes beyond the scale, is cut and carries its sum; null where it does not. */
  cut: CutSum | null;
}

/** What a column that is cut comes to, and where that stands: its middle and its line, px. */
export interface CutSum {
  text: string;
  x: number;
  y: number;
}

export interface ChartLayout {
  phone: boolean;
  width: number;
  height: number;
  /** Left edge of the first column's place, and the width of each place, px. */
  left: number;
  step: number;
  columnWidth: number;
  /** Where the scale ends and where the ground is, px from above. */
  top: number;
  ground: number;
  streakY: number;
  labelY: number;
  ticks: { value: number; y: number }[];
  columns: Column[];
}

/** Above the scale: the names of epochs, and under them the sums of cut columns. */
const ABOVE = 44;
const SUM_AT = 14;
const SUM_LINE = 14;
const SUMS_APART = 6;
/** Under it: what a column that is cut goes beyond it, the streak, the days. */
const OVER = 6;
const STREAK_AT = 20;
const BELOW_STREAK = 28;
const LABEL_AT = 24;
const BELOW_LABEL = 6;
/** Narrower than this, px, it is drawn as on a phone. */
export const PHONE_BELOW = 560;
const LEFT = { phone: 46, desk: 60 };
const GAP = 1;

/** Where everything of the chart lies. */
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
  // By hand: d3's linear scale brings colours, formats and interpolation, ten times what is drawn by it.
  const y = (cord: number) => ground - (cord / most) * height;
  const columns = periods.map((period, index) => {
    let to = 0;
    const pieces = SOURCES.flatMap((source) => {
      const from = to;
      to += period.bucket[source];
      if (to <= from || from >= most) return [];
      const upper = to > most ? top - OVER : y(to);
      // One pixel between two of them, and never nothing of what came.
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

/** Each sum on the lowest line on which it meets none that stands there: columns beside each other may all be cut. */
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

/** 20 px at 30 days where there is room, 34 at 7 days, 7 on phones. */
function widthOf(step: number, count: number): number {
  if (count > 20) return step >= 26 ? 20 : Math.max(3, Math.min(20, Math.max(7, Math.floor(step * 0.7)), step - 1.5));
  return Math.max(3, Math.min(34, Math.floor(step * 0.62)));
}

/** The column under a place across the chart, px from its left; the nearest one. */
export function columnAt({ left, step, columns }: Pick<ChartLayout, 'left' | 'step' | 'columns'>, x: number): number {
  return Math.max(0, Math.min(columns.length - 1, Math.floor((x - left) / step)));
}

/** About so wide is a text of the chart, px a letter. */
const LETTER = 6.7;

export function textWidth(text: string): number {
  return text.length * LETTER;
}

const MONDAY = 1;
const APART = 10;
/** As many have room for a name each, or for every second one. */
const FEW = 12;

/**
 * Which columns have their name under them: Mondays and the day on which the account was opened, or where there are few all that
 * have room; none that meets the one after it.
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
