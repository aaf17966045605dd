import { type Connection, mongo } from 'mongoose';
import { decode } from '../../../../infra/embedded-mongo/bson/decode.js';
import { encode } from '../../../../infra/embedded-mongo/bson/encode.js';
import type { Doc as Stored } from '../../../../infra/embedded-mongo/bson/values.js';
import { parseFilter } from '../../../../infra/embedded-mongo/query/parse.js';
import { parseProjection } from '../../../../infra/embedded-mongo/query/projection.js';
import { parseSort, sortKey } from '../../../../infra/embedded-mongo/query/sort.js';
import { parseUpdate } from '../../../../infra/embedded-mongo/update/update.js';
import { upsertDocument } from '../../../../infra/embedded-mongo/update/upsert.js';

export type Doc = Record<string, unknown> & { _id: string };
/** Documents of a collection, by id. */
export type Documents = Map<string, Doc>;
type Filter = Record<string, unknown>;
type Update = Record<string, unknown>;
interface Options {
  upsert?: boolean;
  sort?: Record<string, 1 | -1>;
  limit?: number;
  skip?: number;
  projection?: Record<string, 0 | 1>;
}

/** A process's access to a collection. */
export interface Access {
  /** @param run gets the documents visible to a read */
  reads<T>(run: (documents: readonly Doc[]) => T): Promise<T>;
  /** @param run records each document's id before changing it */
  writes<T>(run: (note: (id: string) => void) => T): Promise<T>;
}

const NOTHING_NOTED = { isInsert: false, position: undefined, nowMs: 0 };

/** The form that the driver sends and the server reads. */
const stored = (value: object): Stored => decode(Buffer.from(mongo.BSON.serialize(value, { ignoreUndefined: true })));
/** The form that the driver returns to a service (kit/store.ts). */
const plain = (document: Stored): Doc => mongo.BSON.deserialize(encode(document), { useBigInt64: true }) as Doc;

/** Documents are immutable, so each is parsed once. */
const known = new WeakMap<Doc, Stored>();
function storedOf(doc: Doc): Stored {
  const before = known.get(doc);
  if (before) return before;
  const made = stored(doc);
  known.set(doc, made);
  return made;
}

function found(documents: readonly Doc[], filter: Filter, options: Options): Doc[] {
  const { sort, limit = Number.POSITIVE_INFINITY, skip = 0, projection = {} } = options;
  const wanted = parseFilter(stored(filter));
  const fitting = documents.filter((doc) => wanted.test(storedOf(doc)));
  if (sort) {
    const fields = parseSort(stored(sort));
    const keyOf = (doc: Doc) => sortKey(storedOf(doc), fields);
    fitting.sort((a, b) => Buffer.compare(keyOf(a), keyOf(b)) || (a._id < b._id ? -1 : 1));
  }
  const project = parseProjection(stored(projection)) ?? ((document: Stored) => document);
  return fitting.slice(skip, skip + limit).map((doc) => plain(project(storedOf(doc))));
}

/**
 * An in-memory collection with the part of the driver's interface that services use: each call is one atomic operation. The embedded
 * server's code evaluates filters, updates, sort orders and projections. Indexes are ignored.
 */
export class MemoryCollection {
  constructor(
    private readonly documents: Documents,
    private readonly access: Access,
  ) {}

  findOne(filter: Filter = {}, options: Options = {}): Promise<Doc | null> {
    return this.access.reads((docs) => found(docs, filter, { ...options, limit: 1 })[0] ?? null);
  }

  find(filter: Filter = {}, options: Options = {}): MemoryCursor {
    return new MemoryCursor((more) => this.access.reads((docs) => found(docs, filter, { ...options, ...more })));
  }

  countDocuments(filter: Filter): Promise<number> {
    return this.access.reads((docs) => found(docs, filter, {}).length);
  }

  insertOne(doc: Doc): Promise<unknown> {
    const given = plain(stored(doc));
    return this.access.writes((note) => this.insert(given, note));
  }

  deleteMany(filter: Filter): Promise<unknown> {
    return this.access.writes((note) => {
      for (const { _id } of found([...this.documents.values()], filter, {})) {
        note(_id);
        this.documents.delete(_id);
      }
    });
  }

  updateMany(filter: Filter, update: Update): Promise<unknown> {
    const change = this.changing(update);
    return this.access.writes((note) => {
      for (const { _id } of found([...this.documents.values()], filter, {})) change({ _id }, note);
    });
  }

  /** Always returns the changed document. */
  findOneAndUpdate(filter: Filter, update: Update): Promise<Doc | null> {
    const change = this.changing(update);
    return this.access.writes((note) => structuredClone(change(filter, note).after));
  }

  updateOne(filter: Filter, update: Update, options: Options = {}): Promise<{ matchedCount: number }> {
    const change = this.changing(update, options);
    return this.access.writes((note) => change(filter, note));
  }

  /** An update without operators is the new document. */
  replaceOne(filter: Filter, doc: Omit<Doc, '_id'>, options: Options = {}): Promise<{ matchedCount: number }> {
    return this.updateOne(filter, doc, options);
  }

  bulkWrite(
    statements: { updateOne: { filter: Filter; update: Update; upsert?: boolean } }[],
  ): Promise<{ matchedCount: number }> {
    const changes = statements.map(({ updateOne: { filter, update, ...options } }) => ({
      filter,
      change: this.changing(update, options),
    }));
    return this.access.writes((note) => {
      const counts = changes.map(({ filter, change }) => change(filter, note).matchedCount);
      return { matchedCount: counts.reduce((total, count) => total + count, 0) };
    });
  }

  /** The sums over all matches, as one group. Documents are read one by one, and other writes may come in between. */
  aggregate([match, group]: [{ $match: Filter }, { $group: Record<string, unknown> }]): {
    toArray(): Promise<Record<string, unknown>[]>;
  } {
    const { _id: _all, ...fields } = group.$group as { _id: null } & Record<string, { $sum: string }>;
    const toArray = async () => {
      const ids = await this.access.reads((docs) => found(docs, match.$match, {}).map(({ _id }) => _id));
      const sums: Record<string, unknown> = { _id: null };
      for (const id of ids.sort()) {
        const doc = await this.access.reads((docs) => docs.find(({ _id }) => _id === id));
        for (const [name, { $sum }] of Object.entries(fields)) {
          const path = $sum.slice(1).split('.');
          const value = path.reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], doc) ?? 0;
          sums[name] =
            typeof value === 'bigint'
              ? BigInt((sums[name] as bigint) ?? 0) + value
              : Number(sums[name] ?? 0) + Number(value);
        }
      }
      return ids.length === 0 ? [] : [sums];
    };
    return { toArray };
  }

  private insert(doc: Doc, note: (id: string) => void): void {
    if (this.documents.has(doc._id))
      throw new mongo.MongoServerError({ message: `duplicate ${doc._id}`, code: 11_000 });
    note(doc._id);
    this.documents.set(doc._id, doc);
  }

  /** @returns a function that changes the first match, or inserts a document */
  private changing(update: Update, { upsert = false }: Options = {}) {
    const given = parseUpdate(stored(update), undefined);
    return (filter: Filter, note: (id: string) => void): { matchedCount: number; after: Doc | null } => {
      const wanted = parseFilter(stored(filter));
      const before = [...this.documents.values()].find((doc) => wanted.test(storedOf(doc)));
      if (!before) {
        if (upsert) this.insert(plain(upsertDocument(wanted, given, 0)), note);
        return { matchedCount: 0, after: null };
      }
      const after = plain(given.apply(storedOf(before), NOTHING_NOTED));
      note(before._id);
      this.documents.set(before._id, after);
      return { matchedCount: 1, after };
    };
  }
}

/** Like the driver's cursor, but read at once. */
class MemoryCursor {
  constructor(
    private readonly read: (options: Options) => Promise<Doc[]>,
    private readonly options: Options = {},
  ) {}

  sort = (sort: Record<string, 1 | -1>) => new MemoryCursor(this.read, { ...this.options, sort });
  limit = (limit: number) => new MemoryCursor(this.read, { ...this.options, limit });
  skip = (skip: number) => new MemoryCursor(this.read, { ...this.options, skip });
  toArray = (): Promise<Doc[]> => this.read(this.options);

  async *[Symbol.asyncIterator](): AsyncGenerator<Doc> {
    yield* await this.read(this.options);
  }
}

/** A connection to collections in memory. */
export const memoryConnection = (collectionOf: (name: string) => MemoryCollection): Connection =>
  ({ collection: collectionOf }) as unknown as Connection;

/** A separate in-memory store without failures. @param onWrite runs with the name of each collection written to */
export function memoryStore(onWrite: (name: string) => void = () => undefined): Connection {
  const collections = new Map<string, MemoryCollection>();
  return memoryConnection((name) => {
    const documents: Documents = new Map();
    const made = new MemoryCollection(documents, {
      reads: async (run) => run([...documents.values()]),
      async writes(run) {
        onWrite(name);
        return run(() => undefined);
      },
    });
    const collection = collections.get(name) ?? made;
    collections.set(name, collection);
    return collection;
  });
}
