import { createHmac, hkdfSync } from 'node:crypto';

/** A keyed hash: equal texts give equal hashes, and nobody without the key can try texts out. */
export type KeyedHash = (text: string) => string;

/** @param secret from the environment; @param purpose separates uses of one secret. */
export function createKeyedHash(secret: string, purpose: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, 'cord', purpose, 32));
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
}
