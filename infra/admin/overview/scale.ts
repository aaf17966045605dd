/** The ends that a scale may have, times a power of ten, and in how many steps each is divided. */
const ENDS = [
  { end: 1, steps: 5 },
  { end: 2, steps: 4 },
  { end: 2.5, steps: 5 },
  { end: 4, steps: 4 },
  { end: 5, steps: 5 },
  { end: 10, steps: 5 },
] as const;

/**
 * The lines of a scale from nothing to at least the largest value, which ends at 1, 2, 2.5, 4 or 5 times a power of ten.
 * @param largest 0 or more
 */
export function scaleLines(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)));
  const { end, steps } = ENDS.find((one) => one.end * power >= largest) ?? ENDS[5];
  return Array.from({ length: steps + 1 }, (_, n) => (end * power * n) / steps);
}
