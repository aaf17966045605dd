import { Database } from '../engine/database.js';
import { documentRange, indexKey, indexRange, recordBytes, recordOfKey } from '../engine/layout.js';
import { lockFolder } from '../engine/lock.js';
import { Store } from '../engine/store.js';

export interface Verified {
  documents: number;
  entries: number;
  /** Entries without their document, documents without an entry, or an entry that names another document. */
  faults: string[];
}

/** Opens a folder that no server has open, and compares every index with the documents, both ways. */
export async function verifyFolder(folder: string): Promise<Verified> {
  const unlock = await lockFolder(folder);
  const store = await Store.open(folder);
  try {
    const database = await Database.load(store);
    const result: Verified = { documents: 0, entries: 0, faults: [] };
    for (const collection of database.all()) {
      const documents = store
        .entries(documentRange(collection.id), false, Number.MAX_SAFE_INTEGER)
        .map(({ key, value }) => collection.stored(recordOfKey(key), value));
      result.documents += documents.length;
      for (const index of collection.indexes) {
        const wanted = new Map<string, number>();
        for (const { record, document } of documents) {
          for (const own of index.keysOf(document).keys) {
            wanted.set(indexKey(index.id, own, index.spec.unique ? undefined : record).toString('latin1'), record);
          }
        }
        const entries = store.entries(indexRange(index.id), false, Number.MAX_SAFE_INTEGER);
        result.entries += entries.length;
        for (const { key, value } of entries) {
          const record = wanted.get(key.toString('latin1'));
          if (record === undefined) result.faults.push(`${index.spec.name}: an entry without a document`);
          else if (index.spec.unique && !recordBytes(record).equals(value))
            result.faults.push(`${index.spec.name}: an entry of another document`);
        }
        if (entries.length !== wanted.size)
          result.faults.push(`${index.spec.name}: ${wanted.size} keys, ${entries.length} entries`);
      }
    }
    const allIndexes = { low: indexRange(0).low, high: indexRange(2 ** 32 - 2).high };
    const strays = store.count(allIndexes) - result.entries;
    if (strays > 0) result.faults.push(`${strays} entries of indexes that do not exist`);
    return result;
  } finally {
    await store.close();
    await unlock();
  }
}
