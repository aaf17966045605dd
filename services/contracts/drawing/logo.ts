const STRANDS = 5;
const OPENING_DEG = 74;
const LEAN_DEG = 16;
const CUT_DEG = 8;
const OUTER = 11.5;
const INNER = 5.6;

const at = (radius: number, deg: number) => {
  const rad = ((deg - 90) * Math.PI) / 180;
  return `${(12 + radius * Math.cos(rad)).toFixed(2)} ${(12 + radius * Math.sin(rad)).toFixed(2)}`;
};

/** One strand of the C: a piece of a ring whose ends lean like the lay of a cord. */
function strand(index: number): string {
  const step = (360 - OPENING_DEG) / STRANDS;
  const from = 90 + OPENING_DEG / 2 + index * step;
  const to = from + step;
  // The ends of the whole C are straight, the cuts between strands lean.
  const a = index === 0 ? 0 : LEAN_DEG;
  const b = index === STRANDS - 1 ? 0 : LEAN_DEG;
  const half = CUT_DEG / 2;
  const innerHalf = (half * OUTER) / INNER;
  const startGap = index === 0 ? 0 : 1;
  const endGap = index === STRANDS - 1 ? 0 : 1;
  return [
    `M${at(OUTER, from + (a + half) * startGap - a / 2)}`,
    `A${OUTER} ${OUTER} 0 0 1 ${at(OUTER, to - half * endGap + b / 2)}`,
    `L${at(INNER, to - innerHalf * endGap - b / 2)}`,
    `A${INNER} ${INNER} 0 0 0 ${at(INNER, from + innerHalf * startGap - a / 2)}`,
    'Z',
  ].join('');
}

/** Paths of the C's strands in a square of 24, the whipped end last. */
export const LOGO_PATHS = Array.from({ length: STRANDS }, (_, index) => strand(index));
