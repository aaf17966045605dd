import { formatExact, toMicro } from '@cord/ui';

/** What a check-in pays, with every digit. @param cord at most 6 decimals */
export function payText(cord: number): string {
  return formatExact(toMicro(cord) ?? 0n, 6);
}
