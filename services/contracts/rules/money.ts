/** Micro-CORD in one CORD. The unit of every sum is the micro-CORD, an integer. */
export const MICRO = 1_000_000n;

const NUMBER_SCALE = 1_000_000;

/**
 * CORD in REST responses: a number with at most 6 decimals.
 * Exact to the last decimal up to 9,007,199,254 CORD; only for display, never for sums.
 * @param micro an integer, as bigint or number
 */
export function microToNumber(micro: bigint | number): number {
  return Number(micro) / NUMBER_SCALE;
}

/**
 * Converts a CORD number to micro-CORD.
 * @throws RangeError when it is not finite or has more than 6 decimals.
 */
export function numberToMicro(cord: number): bigint {
  if (!Number.isFinite(cord)) throw new RangeError('CORD amount must be finite');
  const scaled = Math.round(cord * NUMBER_SCALE);
  if (!Number.isSafeInteger(scaled)) throw new RangeError('CORD amount is too large');
  const micro = BigInt(scaled);
  if (microToNumber(micro) !== cord) throw new RangeError('CORD amount has more than 6 decimals');
  return micro;
}

/** Converts whole CORD to micro-CORD. */
export function cord(whole: number | bigint): bigint {
  return BigInt(whole) * MICRO;
}

/** Decimal string of an integer, the form of amounts in events. */
export function microToString(micro: bigint): string {
  return micro.toString();
}

/**
 * Parses the integer of a decimal string.
 * @throws RangeError when the text is not an integer.
 */
export function microFromString(text: string): bigint {
  if (!/^-?\d{1,19}$/.test(text)) throw new RangeError('not an integer amount');
  return BigInt(text);
}
