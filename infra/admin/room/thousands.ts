import { formatCord, formatK } from '@cord/ui';

/** An amount of CORD in thousands, as figures are drawn; one below a thousand in full, of which `0.8K` shows too little. */
export function inThousands(cord: number): string {
  return cord < 1_000 ? formatCord(cord) : formatK(cord);
}
