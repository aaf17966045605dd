import { type CordValue, formatCord, formatExact, formatK, toMicro } from '@cord/ui';

/** CORD to the last decimal that counts, two at the least: `50.50`, `0.000001`. */
export function exactCord(cord: CordValue): string {
  return formatExact(toMicro(cord) ?? 0n, 6, 2);
}

/** What changes a balance, likewise: `+0.000001`. */
export function exactChange(cord: CordValue): string {
  return `${(toMicro(cord) ?? 0n) > 0n ? '+' : ''}${exactCord(cord)}`;
}

/** An amount of CORD in thousands, as figures are drawn; one below a thousand in full, of which `0.8K` shows too little. */
export function inThousands(cord: number): string {
  return cord < 1_000 ? formatCord(cord) : formatK(cord);
}
