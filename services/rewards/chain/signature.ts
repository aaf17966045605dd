import bs58 from 'bs58';

/** Length of an Ed25519 signature. */
const SIGNATURE_BYTES = 64;

/** Whether a base58 text is a signature: 64 bytes, not all of them zero. */
export function isSignature(text: string): boolean {
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === SIGNATURE_BYTES && bytes.some((byte) => byte !== 0);
}
