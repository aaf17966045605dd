import { type Connection, mongo } from 'mongoose';
import { type Doc, type Filter, fits, order, sum, updated, valuesAt } from './model-query.js';
import type { ProcessId, Scheduler } from './scheduler.js';

type Documents = Map<string, Doc>;
type Update = Record<string, Record<string, unknown>>;
interface Options {
  upsert?: boolean;
  sort?: Record<string, 1 | -1>;
  limit?: number;
}

/** The document stores of all services as plain memory: each call of the driver is one atomic operation. Projections are passed over. */
export class ModelStore {
  private readonly databases = new Map<string, Map<string, Documents>>();

  constructor(private readonly scheduler: Scheduler) {}

  /** All documents of a collection, as they stand. */
  documents(database: string, name: string): Documents {
    const collections = this.databases.get(database) ?? new Map<string, Documents>();
    this.databases.set(database, collections);
    const documents = collections.get(name) ?? new Map<string, Doc>();
    collections.set(name, documents);
    return documents;
  }

  /** What a process sees of its service's database. */
  connectionOf(process: ProcessId): Connection {
    const collection = (name: string) =>
      new ModelCollection(this.documents(process.service, name), this.scheduler, process);
    return { collection } as unknown as Connection;
  }
}

/** As the driver's: what services use of it. */
class ModelCollection {
  constructor(
    private readonly documents: Documents,
    private readonly scheduler: Scheduler,
    private readonly process: ProcessId,
  ) {}

  findOne(filter: Filter = {}, { sort }: Options = {}): Promise<Doc | null> {
    return this.reads(() => this.found(filter, { ...(sort ? { sort } : {}), limit: 1 })[0] ?? null);
  }

  find(filter: Filter = {}, options: Options = {}): ModelCursor {
    return new ModelCursor((more) => this.reads(() => this.found(filter, { ...options, ...more })));
  }

  countDocuments(filter: Filter): Promise<number> {
    return this.reads(() => this.found(filter, {}).length);
  }

  insertOne(doc: Doc): Promise<unknown> {
    const stored = kept(doc);
    return this.writes(() => this.insert(stored));
  }

  replaceOne(filter: Filter, doc: Omit<Doc, '_id'>, options: Options = {}): Promise<{ matchedCount: number }> {
    const given = kept(doc);
    return this.writes(() =>
      this.change(filter, (before) => ({ ...structuredClone(given), _id: before._id }), options),
    );
  }

  updateOne(filter: Filter, update: Update, options: Options = {}): Promise<{ matchedCount: number }> {
    const given = kept(update);
    return this.writes(() => this.change(filter, (before) => updated(before, given), options));
  }

  bulkWrite(statements: { updateOne: { filter: Filter; update: Update } }[]): Promise<{ matchedCount: number }> {
    const given = kept(statements);
    return this.writes(() => {
      const counts = given.map(({ updateOne: { filter, update } }) =>
        this.change(filter, (before) => updated(before, update), {}),
      );
      return { matchedCount: counts.reduce((total, { matchedCount }) => total + matchedCount, 0) };
    });
  }

  /** The sums of a group of all that matches. Documents are read one after the other, and others write in between. */
  aggregate([match, group]: [{ $match: Filter }, { $group: Record<string, unknown> }]): {
    toArray(): Promise<Record<string, unknown>[]>;
  } {
    const { _id: _all, ...fields } = group.$group as { _id: null } & Record<string, { $sum: string }>;
    const toArray = async () => {
      const ids = await this.reads(() => this.found(match.$match, {}).map(({ _id }) => _id));
      const sums: Record<string, unknown> = { _id: null };
      for (const id of ids.sort()) {
        const doc = await this.reads(() => this.documents.get(id));
        for (const [name, { $sum }] of Object.entries(fields)) {
          const value = doc?.[$sum.slice(1)] as number | bigint;
          sums[name] = name in sums ? sum(sums[name], value) : value;
        }
      }
      return ids.length === 0 ? [] : [sums];
    };
    return { toArray };
  }

  private reads<T>(run: () => T): Promise<T> {
    return this.scheduler.operation(this.process, run);
  }

  private writes<T>(run: () => T): Promise<T> {
    return this.scheduler.operation(this.process, run, true);
  }

  private found(filter: Filter, { sort, limit = Number.POSITIVE_INFINITY }: Options): Doc[] {
    const found = [...this.documents.values()].filter((doc) => fits(doc, filter));
    const [by] = Object.entries(sort ?? {});
    if (by) found.sort((a, b) => by[1] * order(valuesAt(a, by[0])[0], valuesAt(b, by[0])[0]) || order(a._id, b._id));
    return found.slice(0, limit).map((doc) => structuredClone(doc));
  }

  private insert(doc: Doc): void {
    if (this.documents.has(doc._id))
      throw new mongo.MongoServerError({ message: `duplicate ${doc._id}`, code: 11_000 });
    this.documents.set(doc._id, structuredClone(doc));
  }

  private change(filter: Filter, step: (before: Doc) => Doc, { upsert = false }: Options): { matchedCount: number } {
    const before = [...this.documents.values()].find((doc) => fits(doc, filter));
    if (before) this.documents.set(before._id, step(before));
    else if (upsert) this.insert(step({ _id: filter._id as string }));
    return { matchedCount: before ? 1 : 0 };
  }
}

/** As the driver's cursor: read whole when it is asked for. */
class ModelCursor {
  constructor(
    private readonly read: (options: Options) => Promise<Doc[]>,
    private readonly options: Options = {},
  ) {}

  sort(sort: Record<string, 1 | -1>): ModelCursor {
    return new ModelCursor(this.read, { ...this.options, sort });
  }

  limit(limit: number): ModelCursor {
    return new ModelCursor(this.read, { ...this.options, limit });
  }

  toArray(): Promise<Doc[]> {
    return this.read(this.options);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Doc> {
    yield* await this.read(this.options);
  }
}

/** As the driver writes it: a copy without what is undefined. */
function kept<T>(value: T): T {
  if (Array.isArray(value)) return value.map(kept) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [name, kept(each)])) as T;
}
