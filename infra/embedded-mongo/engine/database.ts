import { decode } from '../bson/decode.js';
import { type Int32, int } from '../bson/values.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import { Collection, collectionRecord } from './collection.js';
import { CollectionIndex } from './collection-index.js';
import { clash, type IndexSpec } from './index-spec.js';
import { CATALOG_RANGE, catalogKey, documentRange, indexRange, NEXT_ID_KEY, recordOfKey } from './layout.js';
import { unseal } from './sealed.js';
import type { KeyRange, Store } from './store.js';

/** Documents or entries of a long job in one write task, so that other writes get their turn. */
const CHUNK = 1_000;

/** Maximum number of indexes of a collection, including that of _id: MongoDB's limit. */
const MAX_INDEXES = 64;

/** All collections by namespace (`db.collection`), and the changes to the catalogue. */
export class Database {
  readonly store: Store;
  private readonly collections = new Map<string, Collection>();
  /** All collections on disk by number, including those whose drop is not finished. */
  private readonly byId = new Map<number, Collection>();
  /** Running builds, by index number. */
  private readonly builds = new Map<number, Promise<void>>();
  private nextId = 1;

  private constructor(store: Store) {
    this.store = store;
  }

  /** Reads the catalogue, and cleans up what a crash interrupted unless the disk is too full. */
  static async load(store: Store): Promise<Database> {
    const database = new Database(store);
    database.readCatalog();
    store.onRollback(() => database.readCatalog());
    await database.tidy().catch((error) => {
      if (!(error instanceof MongoError) || error.code !== ERROR_CODES.OutOfDiskSpace) throw error;
    });
    return database;
  }

  /** Reloads the state from disk. Collections and indexes that still exist stay the same objects. */
  private readCatalog(): void {
    this.nextId = this.store.get(NEXT_ID_KEY)?.readUInt32BE() ?? 1;
    const gone = new Map(this.byId);
    this.collections.clear();
    for (const { value } of this.store.entries(CATALOG_RANGE, false, Number.MAX_SAFE_INTEGER)) {
      const saved = decode(unseal(value, 'the catalogue of collections'));
      const id = (saved.get('id') as Int32).value;
      const known = this.byId.get(id);
      const collection = known ?? new Collection(this.store, id, saved.get('ns') as string, [], this.save);
      collection.restore(saved);
      gone.delete(id);
      this.byId.set(id, collection);
      if (!collection.dropped) this.collections.set(collection.namespace, collection);
    }
    for (const collection of gone.values()) {
      collection.dropped = true;
      this.byId.delete(collection.id);
    }
    const indexes = [...this.byId.values()].flatMap((collection) => collection.indexes);
    // Numbers of indexes that were never committed are reused.
    for (const id of this.builds.keys()) if (!indexes.some((index) => index.id === id)) this.builds.delete(id);
  }

  /** Finishes drops and discards index builds that a crash or a full disk interrupted. */
  async tidy(): Promise<void> {
    for (const collection of [...this.byId.values()]) {
      if (collection.dropped) await this.erase(collection);
      const unfinished = collection.indexes.filter((index) => index.building && !this.builds.has(index.id));
      if (unfinished.length > 0) await this.dropIndexes(collection, unfinished);
    }
  }

  find(namespace: string): Collection | undefined {
    return this.collections.get(namespace);
  }

  all(): Collection[] {
    return [...this.collections.values()].sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /** Inside a write task. */
  findOrCreate(namespace: string): Collection {
    return this.collections.get(namespace) ?? this.create(namespace);
  }

  /** Inside a write task. Throws 48 when it exists. */
  create(namespace: string): Collection {
    if (this.collections.has(namespace)) {
      throw new MongoError(ERROR_CODES.NamespaceExists, `Collection ${namespace} already exists.`);
    }
    const primary: IndexSpec = {
      name: '_id_',
      key: new Map([['_id', int(1)]]),
      unique: true,
      sparse: false,
      partialFilter: undefined,
      expireAfterSeconds: undefined,
    };
    const id = this.takeId();
    const collection = new Collection(this.store, id, namespace, [this.newIndex(primary, false)], this.save);
    this.collections.set(namespace, collection);
    this.byId.set(id, collection);
    this.save(collection);
    return collection;
  }

  async drop(collection: Collection): Promise<void> {
    await this.store.write(() => {
      if (collection.dropped) return;
      collection.dropped = true;
      this.collections.delete(collection.namespace);
      this.save(collection);
    }, 'frees');
    await this.erase(collection);
  }

  /**
   * Builds the missing indexes, a chunk of documents at a time; writes meanwhile keep them up to date. If another call is
   * building one of them, this call waits for it and fails if that build fails.
   * Throws 85 or 86 on a clash, 11000 or 171 if the documents do not allow it, 276 if one is dropped; then none of them remains.
   */
  async createIndexes(
    namespace: string,
    specs: IndexSpec[],
  ): Promise<{ before: number; after: number; created: boolean }> {
    for (;;) {
      await this.tidy();
      const { collection, before, created, added, underway } = await this.store.write(() => {
        const existing = this.collections.get(namespace);
        const { fresh, found } = sortOut(specs, existing?.indexes ?? []);
        const underway = found.filter((index) => index.building);
        const wanted = underway.length > 0 ? [] : fresh;
        if ((existing?.indexes.length ?? 1) + wanted.length > MAX_INDEXES)
          throw new MongoError(ERROR_CODES.CannotCreateIndex, `add index fails, too many indexes for ${namespace}`);
        const target = existing ?? this.create(namespace);
        const count = target.indexes.length;
        const added = wanted.map((spec) => this.newIndex(spec, !target.isEmpty));
        // Its build begins once it is on disk.
        for (const { id, building } of added) if (building) this.builds.set(id, Promise.resolve());
        target.indexes.push(...added);
        if (added.length > 0) this.save(target);
        return { collection: target, before: count, created: existing === undefined, added, underway };
      });
      if (underway.length > 0) {
        await Promise.all(underway.map(({ id }) => this.builds.get(id)));
        continue;
      }
      const building = added.filter((index) => index.building);
      if (building.length > 0) {
        const build = this.build(collection, building);
        for (const { id } of building) this.builds.set(id, build);
        await build;
      }
      return { before, after: before + added.length, created };
    }
  }

  private async build(collection: Collection, building: CollectionIndex[]): Promise<void> {
    const range = { ...documentRange(collection.id) };
    try {
      // Documents inserted from here on already have their entries.
      const [last] = this.store.keys(range, true, 1);
      if (last !== undefined) range.high = after(last);
      for (let more = true; more; ) {
        more = await this.store.write(() => {
          requireStillThere(collection, building);
          const chunk = this.store.entries(range, false, CHUNK);
          for (const { key, value } of chunk) {
            const stored = collection.stored(recordOfKey(key), value);
            for (const index of building) collection.addToIndex(index, stored);
            range.low = after(key);
          }
          for (const { clash } of building) if (clash !== undefined) throw clash;
          // Reads use an index from this moment on: every entry must be in the commit before.
          if (chunk.length > 0) return true;
          for (const index of building) index.building = false;
          this.save(collection);
          return false;
        });
      }
    } catch (error) {
      await this.dropIndexes(collection, building);
      throw error;
    } finally {
      for (const { id } of building) this.builds.delete(id);
    }
  }

  async dropIndexes(collection: Collection, indexes: CollectionIndex[]): Promise<void> {
    await this.store.write(() => {
      for (const index of indexes) {
        const place = collection.indexes.indexOf(index);
        if (place >= 0) collection.indexes.splice(place, 1);
      }
      if (!collection.dropped) this.save(collection);
    }, 'frees');
    await this.removeRanges(indexes.map(({ id }) => indexRange(id)));
  }

  private async erase(collection: Collection): Promise<void> {
    const indexes = collection.indexes.map(({ id }) => indexRange(id));
    await this.removeRanges([documentRange(collection.id), ...indexes]);
    await this.store.write(() => {
      this.store.remove(catalogKey(collection.id));
      this.byId.delete(collection.id);
    }, 'frees');
  }

  private async removeRanges(ranges: readonly KeyRange[]): Promise<void> {
    for (let more = true; more; ) {
      more = await this.store.write(() => {
        let left = this.store.share(CHUNK);
        for (const range of ranges) {
          const keys = this.store.keys(range, false, left);
          for (const key of keys) this.store.remove(key);
          left -= keys.length;
          if (left === 0) return true;
        }
        return false;
      }, 'frees');
    }
  }

  private readonly save = (collection: Collection): void => {
    this.store.put(catalogKey(collection.id), collectionRecord(collection));
  };

  private newIndex(spec: IndexSpec, building: boolean): CollectionIndex {
    return new CollectionIndex(this.takeId(), spec, { multikey: [], hasCutKeys: false, building });
  }

  /** Numbers are never reused, so leftovers of a dropped index cannot affect a new one. */
  private takeId(): number {
    const id = this.nextId++;
    const bytes = Buffer.allocUnsafe(4);
    bytes.writeUInt32BE(this.nextId);
    this.store.put(NEXT_ID_KEY, bytes);
    return id;
  }
}

/** Separates the requested indexes into missing and identical ones. */
function sortOut(
  requested: IndexSpec[],
  existing: readonly CollectionIndex[],
): { fresh: IndexSpec[]; found: CollectionIndex[] } {
  const fresh: IndexSpec[] = [];
  const found: CollectionIndex[] = [];
  for (const spec of requested) {
    if (spec.key.size === 1 && spec.key.has('_id')) continue;
    const same = existing.find((index) => clash(spec, index.spec) === 'identical');
    if (same !== undefined) found.push(same);
    else if (!fresh.some((other) => clash(spec, other) === 'identical')) fresh.push(spec);
  }
  return { fresh, found };
}

function requireStillThere(collection: Collection, building: readonly CollectionIndex[]): void {
  if (collection.dropped)
    throw new MongoError(ERROR_CODES.NamespaceNotFound, `collection ${collection.namespace} was dropped`);
  const dropped = building.find((index) => !collection.indexes.includes(index));
  if (dropped !== undefined)
    throw new MongoError(ERROR_CODES.IndexBuildAborted, `index ${dropped.spec.name} was dropped while it was built`);
}

const after = (key: Buffer): Buffer => Buffer.concat([key, Buffer.from([0])]);
