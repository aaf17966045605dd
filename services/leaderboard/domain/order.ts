const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;

/**
 * Returns the indexes of numbers in descending order of the numbers; equal ones keep their order. It is a radix sort,
 * lowest digit first: a million numbers take a few passes, while a comparison sort calls its comparison twenty
 * million times.
 * @param numbers safe integers, 0 or more
 */
export function sortDescending(numbers: Float64Array): Uint32Array {
  const low = new Uint32Array(numbers);
  const high = new Uint32Array(numbers.map((number) => number / 2 ** 32));
  let order = new Uint32Array(numbers.length).map((_, place) => place);
  let next = new Uint32Array(numbers.length);
  for (const words of [low, high])
    for (const shift of [0, DIGIT_BITS]) {
      const starts = digitStarts(words, shift);
      if (starts === null) continue;
      for (const place of order) {
        const digit = ((words[place] as number) >>> shift) % DIGITS;
        const start = starts[digit] as number;
        next[start] = place;
        starts[digit] = start + 1;
      }
      [order, next] = [next, order];
    }
  return order;
}

/** Returns the start position of each digit, highest digit first; null when all numbers have the same digit. */
function digitStarts(words: Uint32Array, shift: number): Uint32Array | null {
  const starts = new Uint32Array(DIGITS);
  for (const word of words) {
    const digit = (word >>> shift) % DIGITS;
    starts[digit] = (starts[digit] as number) + 1;
  }
  let start = 0;
  for (let digit = DIGITS - 1; digit >= 0; digit -= 1) {
    const count = starts[digit] as number;
    if (count === words.length) return null;
    starts[digit] = start;
    start += count;
  }
  return starts;
}
