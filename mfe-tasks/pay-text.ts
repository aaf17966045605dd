import { formatExact, toMicro } from '@cord/ui';

/** Formats the pay of a check-in with all digits. @param cord at most 6 decimals */
export function payText(cord: number): string {
  return formatExact(toMicro(cord) ?? 0n, 6);
}
