import { type CordValue, formatExact, toMicro } from '@cord/ui';

/** What changes a balance, to its last decimal: `+0.000001`. */
export function exactChange(cord: CordValue): string {
  const micro = toMicro(cord) ?? 0n;
  return `${micro > 0n ? '+' : ''}${formatExact(micro, 6, 2)}`;
}
