import { RANK } from '../bson/compare.js';
import { keyOf } from '../bson/key.js';
import type { Doc } from '../bson/values.js';
import { someAt } from '../query/path.js';
import type { Collection } from './collection.js';
import type { CollectionIndex } from './collection-index.js';
import type { Database } from './database.js';
import { indexRange, recordOfKey } from './layout.js';

const CHUNK = 200;

/** Removes documents that have expired by TTL indexes. Returns the number of removed documents. */
export async function sweepExpired(database: Database, nowMs: number): Promise<number> {
  let removed = 0;
  for (const collection of database.all()) {
    for (const index of collection.indexes) {
      if (index.spec.expireAfterSeconds === undefined || index.building) continue;
      removed += await sweepIndex(database, collection, index, nowMs - index.spec.expireAfterSeconds * 1000);
    }
  }
  return removed;
}

/** A document expires when any date at the path is old enough; other values never expire. */
async function sweepIndex(
  database: Database,
  collection: Collection,
  index: CollectionIndex,
  expiredMs: number,
): Promise<number> {
  const field = index.fields[0];
  if (field === undefined) return 0;
  const isExpired = (document: Doc): boolean =>
    someAt(document, field.path, 'elements', (value) => value instanceof Date && value.getTime() <= expiredMs);
  const { low: head } = indexRange(index.id);
  // In a descending index the old dates are at the other end, so the whole index is scanned.
  const range = field.descending
    ? indexRange(index.id)
    : {
        low: Buffer.concat([head, Buffer.from([RANK.date])]),
        high: Buffer.concat([head, keyOf(new Date(expiredMs + 1))]),
      };
  let removed = 0;
  for (let more = true; more && !collection.dropped; ) {
    more = await database.store.write(() => {
      if (collection.dropped) return false;
      const chunk = database.store.share(CHUNK);
      const entries = database.store.entries(range, false, chunk);
      for (const { key, value } of entries) {
        range.low = Buffer.concat([key, Buffer.from([0])]);
        const record = recordOfKey(index.spec.unique ? value : key);
        const stored = collection.read(record);
        if (stored === undefined || !isExpired(stored.document)) continue;
        collection.remove(stored);
        removed++;
      }
      return entries.length === chunk;
    }, 'frees');
  }
  return removed;
}
