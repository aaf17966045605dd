import { decode } from '../bson/decode.js';
import { encode, encodeStored } from '../bson/encode.js';
import { show } from '../bson/show.js';
import type { Doc, Value } from '../bson/values.js';
import { int } from '../bson/values.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import { CollectionIndex } from './collection-index.js';
import { documentKey, documentRange, indexKey, recordBytes, recordOfKey } from './layout.js';
import { seal, unseal } from './sealed.js';
import type { Store } from './store.js';

/** A stored document with its record number. */
export interface Stored {
  record: number;
  bytes: Buffer;
  document: Doc;
}

/**
 * The documents of one namespace and the entries of its indexes, always changed together in one write task. Methods that
 * write must be called inside a task; each checks everything that can refuse before it puts anything.
 */
export class Collection {
  readonly id: number;
  readonly namespace: string;
  readonly indexes: CollectionIndex[];
  dropped = false;
  private readonly store: Store;
  private readonly saveCatalog: (collection: Collection) => void;
  private nextRecord: number | undefined;
  private counted: number | undefined;

  constructor(
    store: Store,
    id: number,
    namespace: string,
    indexes: CollectionIndex[],
    saveCatalog: (c: Collection) => void,
  ) {
    this.store = store;
    this.id = id;
    this.namespace = namespace;
    this.indexes = indexes;
    this.saveCatalog = saveCatalog;
  }

  get isEmpty(): boolean {
    return this.store.keys(documentRange(this.id), false, 1).length === 0;
  }

  /** Number of documents, counted on the first request and kept from then on. */
  async count(): Promise<number> {
    if (this.counted !== undefined) return this.counted;
    return this.store.current(() => {
      this.counted ??= this.store.count(documentRange(this.id));
      return this.counted;
    });
  }

  /** Throws MongoError 301 when the document is damaged, here and in `stored`. */
  read(record: number): Stored | undefined {
    const sealed = this.store.get(documentKey(this.id, record));
    return sealed === undefined ? undefined : this.stored(record, sealed);
  }

  /** Reads a document from its bytes on disk. */
  stored(record: number, sealed: Buffer): Stored {
    const bytes = unseal(sealed, `record ${record} of ${this.namespace}`);
    return { record, bytes, document: decode(bytes) };
  }

  /** Restores the state on disk after a failed commit. */
  restore(saved: Doc): void {
    this.dropped = saved.get('dropped') === true;
    this.nextRecord = undefined;
    this.counted = undefined;
    const known = new Map(this.indexes.map((index) => [index.id, index]));
    const restored = (saved.get('indexes') as Doc[]).map(CollectionIndex.restore);
    this.indexes.splice(
      0,
      this.indexes.length,
      ...restored.map((index) => known.get(index.id)?.become(index) ?? index),
    );
  }

  /** The document must have its _id, first. Throws 11000, 171, 10334. */
  insert(document: Doc): Stored {
    const bytes = encodeStored(document);
    const entries = this.indexes.map((index) => index.keysOf(document));
    for (const [place, index] of this.indexes.entries())
      this.checkUnique(index, entries[place]?.keys ?? [], undefined, document);
    const record = this.takeRecord();
    if (this.counted !== undefined) this.counted++;
    this.store.put(documentKey(this.id, record), seal(bytes));
    for (const [place, index] of this.indexes.entries()) {
      const found = entries[place];
      if (found === undefined) continue;
      if (index.note(found)) this.saveCatalog(this);
      for (const key of found.keys) this.putEntry(index, key, record);
    }
    return { record, bytes, document };
  }

  /** Replaces a stored document. Returns its bytes, or undefined if nothing changed. */
  replace(before: Stored, after: Doc): Buffer | undefined {
    const bytes = encodeStored(after);
    if (bytes.equals(before.bytes)) return undefined;
    const changes = this.indexes.map((index) => {
      const old = index.keysOf(before.document).keys;
      const found = index.keysOf(after);
      const added = found.keys.filter((key) => !old.some((other) => other.equals(key)));
      const removed = old.filter((key) => !found.keys.some((other) => other.equals(key)));
      this.checkUnique(index, added, before.record, after);
      return { index, found, added, removed };
    });
    this.store.put(documentKey(this.id, before.record), seal(bytes));
    for (const { index, found, added, removed } of changes) {
      if (index.note(found)) this.saveCatalog(this);
      for (const key of removed) this.removeEntry(index, key, before.record);
      for (const key of added) this.putEntry(index, key, before.record);
    }
    return bytes;
  }

  remove(stored: Stored): void {
    this.store.remove(documentKey(this.id, stored.record));
    if (this.counted !== undefined) this.counted--;
    for (const index of this.indexes) {
      for (const key of index.keysOf(stored.document).keys) this.removeEntry(index, key, stored.record);
    }
  }

  /** Adds one stored document to an index in construction. A duplicate key is noted as its `clash`. Throws 171. */
  addToIndex(index: CollectionIndex, stored: Stored): void {
    const found = index.keysOf(stored.document);
    this.checkUnique(index, found.keys, stored.record, stored.document);
    if (index.note(found)) this.saveCatalog(this);
    for (const key of found.keys) this.putEntry(index, key, stored.record);
  }

  private takeRecord(): number {
    if (this.nextRecord === undefined) {
      const [last] = this.store.keys(documentRange(this.id), true, 1);
      this.nextRecord = last === undefined ? 1 : recordOfKey(last) + 1;
    }
    return this.nextRecord++;
  }

  private checkUnique(index: CollectionIndex, keys: readonly Buffer[], own: number | undefined, document: Doc): void {
    if (!index.spec.unique) return;
    for (const key of keys) {
      const holder = this.store.get(indexKey(index.id, key));
      if (holder === undefined || recordOfKey(holder) === own) continue;
      const clash = this.duplicate(index, key, document);
      if (!index.building) throw clash;
      // A write must not fail because of an incomplete index: the build fails instead.
      index.clash ??= clash;
    }
  }

  private duplicate(index: CollectionIndex, key: Buffer, document: Doc): MongoError {
    const values = index.valuesBehind(document, key);
    const keyValue: Doc = new Map([...index.spec.key.keys()].map((field, place) => [field, values[place] ?? null]));
    return new MongoError(
      ERROR_CODES.DuplicateKey,
      `E11000 duplicate key error collection: ${this.namespace} index: ${index.spec.name} dup key: ${show(keyValue)}`,
      new Map([
        ['keyPattern', index.spec.key],
        ['keyValue', keyValue],
      ]),
    );
  }

  private putEntry(index: CollectionIndex, key: Buffer, record: number): void {
    if (index.spec.unique) this.store.put(indexKey(index.id, key), recordBytes(record));
    else this.store.put(indexKey(index.id, key, record), PRESENT);
  }

  /** In a unique index, removes only this record's entry: during a build, another document may have taken its key. */
  private removeEntry(index: CollectionIndex, key: Buffer, record: number): void {
    const entry = indexKey(index.id, key, index.spec.unique ? undefined : record);
    if (index.spec.unique && !this.store.get(entry)?.equals(recordBytes(record))) return;
    this.store.remove(entry);
  }
}

const PRESENT = Buffer.from([1]);

/** The catalogue record of a collection. */
export function collectionRecord(collection: Collection): Buffer {
  const indexes: Value[] = collection.indexes.map((index) => index.describe());
  const record = new Map<string, Value>([
    ['ns', collection.namespace],
    ['id', int(collection.id)],
    ['dropped', collection.dropped],
    ['indexes', indexes],
  ]);
  return seal(encode(record));
}
