import { createHmac, hkdfSync } from 'node:crypto';

/** A keyed hash: equal texts give equal hashes, and without the key guesses cannot be checked. */
export type KeyedHash = (text: string) => string;

/** Derives 32 bytes for one purpose: a key for one purpose reveals nothing about another's, though the secret is the same. */
export function derivedKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'cord', purpose, 32));
}

/** @param key 32 bytes from derivedKey(), which names the purpose */
export function keyedHashBy(key: Buffer, encoding: 'base64url' | 'hex' = 'base64url'): KeyedHash {
  return (text) => createHmac('sha256', key).update(text).digest(encoding);
}

/** @param secret from the environment; @param purpose separates uses of one secret. */
export function createKeyedHash(
  secret: string,
  purpose: string,
  encoding: 'base64url' | 'hex' = 'base64url',
): KeyedHash {
  return keyedHashBy(derivedKey(secret, purpose), encoding);
}
