import { concat, type Sha256, u64 } from './bytes.js';
import { type Join, levels } from './tree.js';

/* The log of day records: RFC 6962, served as tiles (C2SP tlog-tiles). */

/** Returns the leaf hash of a record. */
export function recordHash(sha256: Sha256, record: Uint8Array): Uint8Array {
  return sha256(concat(Uint8Array.of(0), record));
}

/** Returns the function that joins two nodes of the log. */
export function logJoin(sha256: Sha256): Join<Uint8Array> {
  return (left, right) => sha256(concat(Uint8Array.of(1), left, right));
}

/** Number of hashes in a full tile. */
export const TILE_WIDTH = 256;

/** One tile of a log: a row of hashes at a level, each covering 256^level records. */
export interface Tile {
  level: number;
  index: number;
  /** From 1 to 256; a tile below 256 is partial. */
  width: number;
}

/** Path of a tile below the log: `tile/0/x001/067.p/5`; with level `entries`, of a bundle of entries. */
export function tilePath({ index, width }: Omit<Tile, 'level'>, level: number | 'entries'): string {
  const digits = String(index);
  const parts = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/.{3}/g) ?? [];
  const name = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join('/');
  return `tile/${level}/${name}${width < TILE_WIDTH ? `.p/${width}` : ''}`;
}

/** @returns null for a path of no tile */
export function readTilePath(path: string): (Omit<Tile, 'level'> & { level: number | 'entries' }) | null {
  const found = /^tile\/(entries|0|[1-9]|[1-5]\d|6[0-3])\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (!found) return null;
  const [, name = '', at = '', partial] = found;
  const level = name === 'entries' ? name : Number(name);
  const index = Number(at.replace(/[x/]/g, ''));
  const width = partial === undefined ? TILE_WIDTH : Number(partial);
  const isOne = Number.isSafeInteger(index) && (partial === undefined || width < TILE_WIDTH);
  return isOne && tilePath({ index, width }, level) === path ? { level, index, width } : null;
}

/** Returns the bytes of a tile. @param records leaf hashes of all records of a log that holds the tile */
export function tileBytes(sha256: Sha256, { level, index, width }: Tile, records: readonly Uint8Array[]): Uint8Array {
  const each = TILE_WIDTH ** level;
  const join = logJoin(sha256);
  const hashes = Array.from({ length: width }, (_, at) => {
    const from = (index * TILE_WIDTH + at) * each;
    return levels(records.slice(from, from + each), join).at(-1)?.[0] as Uint8Array;
  });
  return concat(...hashes);
}

/** Returns a bundle of entries: each record prefixed with its length in two bytes. @throws RangeError for a record above 65,535 bytes */
export function bundleBytes(records: readonly Uint8Array[]): Uint8Array {
  const parts = records.flatMap((record) => {
    if (record.length > 0xff_ff) throw new RangeError('a record of a log has at most 65,535 bytes');
    return [u64(BigInt(record.length)).slice(6), record];
  });
  return concat(...parts);
}

/** @returns null when the bytes are no bundle */
export function readBundle(bytes: Uint8Array): Uint8Array[] | null {
  const records: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const from = at + 2;
    at = from + ((bytes[at] ?? 0) << 8) + (bytes[at + 1] ?? 0);
    if (from > bytes.length || at > bytes.length) return null;
    records.push(bytes.slice(from, at));
  }
  return records;
}

/**
 * Reads all records of a log up to a size from its bundles. A malformed bundle yields no records, so the root of the size then fails.
 * @param read reads a file of the log by its path below the log
 */
export async function readRecords(size: number, read: (path: string) => Promise<Uint8Array>): Promise<Uint8Array[]> {
  const records: Uint8Array[] = [];
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    records.push(...(readBundle(await read(tilePath({ index, width }, 'entries'))) ?? []));
  }
  return records;
}

/** Decodes a record's text without dropping any character, such as a byte order mark. */
export const recordText = (record: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(record);
