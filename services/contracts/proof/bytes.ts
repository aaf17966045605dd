/*
 * Bytes as the proofs of the ledger need them. Nothing here depends on Node or on a browser: SHA-256 is an argument, so that a service hashes
 * with node:crypto and a page with what it has.
 */

/** SHA-256, synchronous: 32 bytes of any bytes. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

const encoder = new TextEncoder();

/** Length of a SHA-256 hash. */
export const HASH_BYTES = 32;

/** UTF-8 of a text. @throws RangeError for a lone surrogate: it has no UTF-8, and would be encoded like another text */
export function utf8(text: string): Uint8Array {
  if (/\p{Surrogate}/u.test(text)) throw new RangeError('text holds half of a surrogate pair');
  return encoder.encode(text);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Eight bytes, most significant first. @param value from 0 to 2^64 - 1 */
export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** Base64 of RFC 4648 section 4, with padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** @returns null where the text is not the one spelling that base64 has of its bytes, or has another length than requested */
export function fromBase64(text: string, length?: number): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return toBase64(bytes) === text && (length === undefined || bytes.length === length) ? bytes : null;
}

/**
 * The bytes that stand for a list of texts: UTF-8 of its JSON. A list of strings has one JSON (RFC 8785), `JSON.stringify` makes it everywhere.
 * @throws RangeError for a lone surrogate
 */
export function listBytes(list: readonly string[]): Uint8Array {
  // A newline between them, so that no two halves make a pair; one look costs less than one for each text.
  if (/\p{Surrogate}/u.test(list.join('\n'))) throw new RangeError('text holds half of a surrogate pair');
  return encoder.encode(JSON.stringify(list));
}
