const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Length of an Ed25519 signature (spec part 9). */
const SIGNATURE_BYTES = 64;

/** Whether a base58 text is a signature: 64 bytes, not all of them zero. */
export function isSignature(text: string): boolean {
  let value = 0n;
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter);
    if (digit < 0) return false;
    value = value * 58n + BigInt(digit);
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return value > 0n && zeros + bytes === SIGNATURE_BYTES;
}
