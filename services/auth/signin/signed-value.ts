import { timingSafeEqual } from 'node:crypto';
import type { KeyedHash } from '@cord/kit/keyed-hash';

/** Signs a text that travels through the browser: `<text>.<keyed hash>`. */
export function signValue(hash: KeyedHash, text: string): string {
  return `${text}.${hash(text)}`;
}

/** Returns the text of a signed value; null when it was altered, or signed with none of these keys. */
export function readSignedValue(hashes: readonly KeyedHash[], value: string | undefined): string | null {
  const dot = value?.lastIndexOf('.') ?? -1;
  if (value === undefined || dot < 0) return null;
  const text = value.slice(0, dot);
  return hashes.some((hash) => sameText(value.slice(dot + 1), hash(text))) ? text : null;
}

/** Compares two texts in constant time. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
