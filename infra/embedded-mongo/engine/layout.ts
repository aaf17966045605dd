import type { KeyRange } from './store.js';

/** The layout of the key space: a kind byte, the number of the collection or index, then the rest. */
const KIND = { meta: 0, catalog: 1, document: 2, index: 3 } as const;

/** Bytes of a record's number at the end of a key. Numbers count up within a collection and keep insertion order. */
export const RECORD_BYTES = 6;

export const NEXT_ID_KEY = Buffer.from([KIND.meta, 1]);

export const catalogKey = (collectionId: number): Buffer => prefix(KIND.catalog, collectionId);
export const CATALOG_RANGE: KeyRange = { low: Buffer.from([KIND.catalog]), high: Buffer.from([KIND.catalog + 1]) };

export function documentKey(collectionId: number, record: number): Buffer {
  const key = Buffer.allocUnsafe(5 + RECORD_BYTES);
  key[0] = KIND.document;
  key.writeUInt32BE(collectionId, 1);
  key.writeUIntBE(record, 5, RECORD_BYTES);
  return key;
}

export const recordOfKey = (key: Buffer): number => key.readUIntBE(key.length - RECORD_BYTES, RECORD_BYTES);

export function recordBytes(record: number): Buffer {
  const bytes = Buffer.allocUnsafe(RECORD_BYTES);
  bytes.writeUIntBE(record, 0, RECORD_BYTES);
  return bytes;
}

export const documentRange = (collectionId: number): KeyRange => rangeOf(KIND.document, collectionId);
export const indexRange = (indexId: number): KeyRange => rangeOf(KIND.index, indexId);

/** The full key of an index entry. A unique index keeps its record in the value, any other at the end of the key. */
export function indexKey(indexId: number, key: Buffer, record?: number): Buffer {
  const head = prefix(KIND.index, indexId);
  return record === undefined ? Buffer.concat([head, key]) : Buffer.concat([head, key, recordBytes(record)]);
}

function rangeOf(kind: number, id: number): KeyRange {
  return { low: prefix(kind, id), high: prefix(kind, id + 1) };
}

function prefix(kind: number, id: number): Buffer {
  const key = Buffer.allocUnsafe(5);
  key[0] = kind;
  key.writeUInt32BE(id, 1);
  return key;
}
