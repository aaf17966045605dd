/** Lengths and paths of the cord dial, all derived from its size (the visual language, The cord dial). */

export interface DialGeometry {
  size: number;
  center: number;
  lobes: number;
  /** Angle of one lobe, radians. */
  pitch: number;
  tickOut: number;
  tickIn: number;
  outer: number;
  inner: number;
  /** Stroke width of a lobe. */
  width: number;
  labelRadius: number;
  labelled: boolean;
}

/** Below this size a dial has 50 lobes and no labels. */
const SMALL_BELOW = 200;
/** The hand covers everything within ±2.9 pitches. */
const GAP_PITCHES = 2.9;
/** Number of lobes missing opposite the hand in the error state. */
const PARTED_LOBES = 8;

export function dialGeometry(size: number): DialGeometry {
  const center = size / 2;
  const band = 0.062 * size;
  const tickOut = center - band - 2;
  const tickIn = tickOut - 0.02 * size;
  const outer = tickIn - 0.022 * size;
  const inner = outer - 0.078 * size;
  const lobes = size < SMALL_BELOW ? 50 : 100;
  const pitch = (2 * Math.PI) / lobes;
  return {
    size,
    center,
    lobes,
    pitch,
    tickOut,
    tickIn,
    outer,
    inner,
    width: 0.8 * ((inner + outer) / 2) * pitch,
    labelRadius: center - band * 0.42,
    labelled: size >= SMALL_BELOW,
  };
}

const round = (n: number) => Math.round(n * 100) / 100;

/** Returns the point at a radius and an angle clockwise from the top. */
export function polar({ center }: DialGeometry, radius: number, angle: number): { x: number; y: number } {
  return { x: round(center + radius * Math.sin(angle)), y: round(center - radius * Math.cos(angle)) };
}

/** Path of lobe `index`, clockwise from the hand: a round-capped cubic that leans with the lay. */
export function lobePath(geometry: DialGeometry, index: number): string {
  const { inner, outer, width, pitch } = geometry;
  const a = index * pitch;
  const from = { r: inner + width / 2, angle: a - 0.55 * pitch };
  const to = { r: outer - width / 2, angle: a + 1.55 * pitch };
  const reach = 0.3 * (to.r - from.r);
  const points = [
    polar(geometry, from.r, from.angle),
    polar(geometry, from.r + reach, from.angle + 0.25 * pitch),
    polar(geometry, to.r - reach, to.angle - 0.25 * pitch),
    polar(geometry, to.r, to.angle),
  ].map(({ x, y }) => `${x} ${y}`);
  return `M${points[0]}C${points[1]} ${points[2]} ${points[3]}`;
}

/** Returns the indexes of the drawn lobes: all except those under the hand. */
export function lobesBesideHand({ lobes }: DialGeometry): number[] {
  return Array.from({ length: lobes }, (_, i) => i).filter((i) => {
    const middle = i + 0.5 > lobes / 2 ? i + 0.5 - lobes : i + 0.5;
    return Math.abs(middle) >= GAP_PITCHES;
  });
}

/** Whether a lobe is in the gap opposite the hand that the error state shows. */
export function isParted({ lobes }: DialGeometry, index: number): boolean {
  return Math.abs(index + 0.5 - lobes / 2) <= PARTED_LOBES / 2;
}

/** The whipping: five radial bars and a point, as one path. */
export function handPath(geometry: DialGeometry): string {
  const { inner, outer, pitch, tickOut } = geometry;
  const half = (0.57 * pitch) / 2;
  const reach = outer + 0.004 * geometry.size;
  const corner = (r: number, angle: number) => {
    const { x, y } = polar(geometry, r, angle);
    return `${x} ${y}`;
  };
  const bars = [-2, -1, 0, 1, 2].map((k) => {
    const a = k * 0.93 * pitch;
    return `M${corner(inner, a - half)}L${corner(reach, a - half)}L${corner(reach, a + half)}L${corner(inner, a + half)}Z`;
  });
  const point = `M${corner(reach - 0.5, -1.08 * pitch)}L${corner(tickOut + 1, 0)}L${corner(reach - 0.5, 1.08 * pitch)}Z`;
  return bars.join('') + point;
}

interface Tick {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  major: boolean;
}

/** Hundredths on large dials, fiftieths on small ones; every tenth is long. */
export function ticks(geometry: DialGeometry): Tick[] {
  const count = geometry.size >= 300 ? 100 : 50;
  const { tickIn, tickOut } = geometry;
  return Array.from({ length: count }, (_, i) => {
    const major = i % (count / 10) === 0;
    const half = i % (count / 20) === 0;
    const angle = (i / count) * 2 * Math.PI;
    const length = (tickOut - tickIn) * (major ? 1 : half ? 0.62 : 0.36);
    const middle = (tickIn + tickOut) / 2;
    const a = polar(geometry, middle - length / 2, angle);
    const b = polar(geometry, middle + length / 2, angle);
    return { x1: a.x, y1: a.y, x2: b.x, y2: b.y, major };
  });
}

/** Duration of one pass that lays the cord, ms. */
export const LAY_MS = 1500;

/** Stroke widths of the cord, and the offsets across it where a strand's colour changes. */
interface Strokes {
  /** Width of the dark line between two lobes. */
  gapWidth: number;
  /** Width of a hollow lobe. */
  voidWidth: number;
  /** Width of the mask that uncovers the cord while it is laid. */
  layWidth: number;
  /** Offsets from the dial's centre outwards, as fractions of the outer radius. */
  rims: { offset: number; rim: boolean }[];
}

export function strokes({ inner, outer, width }: DialGeometry): Strokes {
  const depth = outer - inner;
  return {
    gapWidth: width + Math.max(1.1, 0.24 * width),
    voidWidth: 0.36 * width,
    layWidth: depth * 1.4,
    rims: [
      { offset: inner / outer, rim: true },
      { offset: (inner + depth * 0.38) / outer, rim: false },
      { offset: (outer - depth * 0.34) / outer, rim: false },
      { offset: 1, rim: true },
    ],
  };
}

/** Returns the decimals of an amount of CORD as a fraction of a turn: 419.33 gives 0.33. */
export function turnOf(cord: number | null): number {
  if (cord === null || !Number.isFinite(cord)) return 0;
  const rest = cord % 1;
  return rest < 0 ? rest + 1 : rest;
}

/** Duration of one turn (one CORD), ms; null when the cord stands still. */
export function turnMs(ratePerMinute: number): number | null {
  return Number.isFinite(ratePerMinute) && ratePerMinute > 0 ? 60_000 / ratePerMinute : null;
}
