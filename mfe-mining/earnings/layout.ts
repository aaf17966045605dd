import { ticks } from 'd3-array';
import { stack } from 'd3-shape';
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
  /** It goes beyond the scale, is cut and carries its sum. */
  cut: boolean;
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
  const ground = ABOVE + height;
  const buckets = periods.map(({ bucket }) => bucket);
  const most = topOf(buckets);
  // By hand: d3's linear scale brings colours, formats and interpolation, ten times what is drawn by it.
  const y = (cord: number) => ground - (cord / most) * height;
  const series = stack<Period, EarningsSource>()
    .keys(SOURCES)
    .value(({ bucket }, source) => bucket[source])(periods as Period[]);
  const columns = periods.map((period, index) => {
    const cut = period.bucket.total > most * (1 + 1e-9);
    const pieces = series.flatMap((layer) => {
      const [from = 0, to = 0] = layer[index] ?? [];
      if (to <= from || from >= most) return [];
      const upper = to > most ? ABOVE - OVER : y(to);
      // One pixel between two of them, and never nothing of what came.
      return { source: layer.key, y: upper, height: Math.max(0.8, y(from) - upper - GAP) };
    });
    return { period, x: left + index * step + (step - columnWidth) / 2, pieces, cut };
  });
  const labelY = ground + LABEL_AT + (streak ? BELOW_STREAK : 0);
  const marks = ticks(0, most, lines).map((value) => ({ value, y: y(value) }));
  return {
    ...{ phone, width, left, step, columnWidth, top: ABOVE, ground, ticks: marks, columns, labelY },
    streakY: ground + STREAK_AT,
    height: labelY + BELOW_LABEL,
  };
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

/** Which columns have their name under them: Mondays, or where there are few all that have room; none that meets the present one's. */
export function namedColumns({ columns, step }: ChartLayout, nameOf: (period: Period) => string): number[] {
  const last = columns.length - 1;
  const widths = columns.map(({ period }) => textWidth(nameOf(period)));
  const widest = Math.max(...widths);
  if (columns.length <= FEW) {
    const each = step < widest ? 2 : 1;
    return columns.flatMap((_, index) => ((last - index) % each === 0 ? index : []));
  }
  return columns.flatMap(({ period }, index) => {
    if (index === last) return index;
    if (period.before || new Date(period.startMs).getUTCDay() !== MONDAY) return [];
    const needed = ((widths[index] ?? 0) + (widths[last] ?? 0)) / 2 + APART;
    return (last - index) * step < needed ? [] : index;
  });
}
