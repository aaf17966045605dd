/*
 * Byte helpers for the ledger's proofs. Nothing here depends on Node or a browser: SHA-256 is an argument, so a service hashes with
 * node:crypto and a page with its own implementation.
 */

/** Synchronous SHA-256: returns 32 bytes. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

const encoder = new TextEncoder();

/** Length of a SHA-256 hash, bytes. */
export const HASH_BYTES = 32;

/** Returns the UTF-8 of a text. @throws RangeError for a lone surrogate: it has no UTF-8 and would be encoded as another text */
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

/** @returns null when the text is not the canonical base64 of its bytes, or when the length differs from `length` */
export function fromBase64(text: string, length?: number): Uint8Array | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return toBase64(bytes) === text && (length === undefined || bytes.length === length) ? bytes : null;
}

/**
 * Returns the UTF-8 of a list's JSON. A list of strings has exactly one JSON form (RFC 8785), which `JSON.stringify` produces everywhere.
 * @throws RangeError for a lone surrogate
 */
export function listBytes(list: readonly string[]): Uint8Array {
  // The newline keeps two halves from forming a pair; testing the joined text once is cheaper than each text.
  if (/\p{Surrogate}/u.test(list.join('\n'))) throw new RangeError('text holds half of a surrogate pair');
  return encoder.encode(JSON.stringify(list));
}
