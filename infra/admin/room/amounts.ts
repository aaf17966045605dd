import { type CordValue, formatCord, formatExact, formatK, toMicro } from '@cord/ui';

/** CORD with all significant decimals, at least two: `50.50`, `0.000001`. */
export function exactCord(cord: CordValue): string {
  return formatExact(toMicro(cord) ?? 0n, 6, 2);
}

/** The same for a change of a balance: `+0.000001`. */
export function exactChange(cord: CordValue): string {
  return `${(toMicro(cord) ?? 0n) > 0n ? '+' : ''}${exactCord(cord)}`;
}

/** An amount of CORD in thousands, as in figures; below a thousand in full, because `0.8K` is too coarse. */
export function inThousands(cord: number): string {
  return cord < 1_000 ? formatCord(cord) : formatK(cord);
}
