import { getBase58Decoder, getBase58Encoder } from '@solana/kit';

const toText = getBase58Decoder();
const toBytes = getBase58Encoder();

export const base58 = {
  encode: (bytes: Uint8Array): string => toText.decode(bytes),
  /** @throws Error for text that is not base58 */
  decode: (text: string): Uint8Array => new Uint8Array(toBytes.encode(text)),
};
