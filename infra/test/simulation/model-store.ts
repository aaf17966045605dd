import type { Chance } from '@cord/kit/testing/simulation/random';
import { LostAnswer, type Scheduler } from '@cord/kit/testing/simulation/scheduler';
import { type Connection, mongo } from 'mongoose';
import { Unsettled } from './failover.js';
import { type Doc, type Filter, fits, order, sum, updated, valuesAt } from './model-query.js';
import type { ProcessId } from './process-id.js';

type Documents = Map<string, Doc>;
type Update = Record<string, Record<string, unknown>>;
interface Options {
  upsert?: boolean;
  sort?: Record<string, 1 | -1>;
  limit?: number;
  skip?: number;
}

/** The document stores of all services as plain memory: each call of the driver is one atomic operation. Projections are passed over. */
export class ModelStore {
  private readonly databases = new Map<string, Map<string, Documents>>();
  /** By collection. */
  private readonly unsettled: Unsettled<Documents>;
  private readonly before = new Map<Documents, ReadonlyMap<string, Doc | null>>();

  /** @param isMajorityRead how the services read (kit/store.ts): what a failover may take back is seen by nobody, or by all */
  constructor(
    private readonly scheduler: Scheduler<ProcessId>,
    chance: Chance,
    now: () => number,
    private readonly isMajorityRead: boolean,
  ) {
    this.unsettled = new Unsettled(chance, now);
  }

  settleAll(): void {
    this.unsettled.settleAll();
  }

  /** What a read sees. */
  seen(documents: Documents): Doc[] {
    const before = this.isMajorityRead && this.unsettled.has(documents) ? this.before.get(documents) : undefined;
    if (!before) return [...documents.values()];
    const others = [...documents.values()].filter(({ _id }) => !before.has(_id));
    return [...others, ...[...before.values()].filter((doc) => doc !== null)];
  }

  /** One write of a process. @param run makes it, and notes each document that it changes as it was before */
  write<T>(
    process: ProcessId,
    documents: Documents,
    run: (note: (id: string) => void) => T,
    inTime: () => boolean,
  ): Promise<T> {
    const before = new Map<string, Doc | null>();
    const undo = () => {
      for (const [id, doc] of before)
        if (doc) documents.set(id, doc);
        else documents.delete(id);
    };
    const made = () => {
      if (!inTime()) throw new LostAnswer('not done in time');
      this.unsettled.settle(documents);
      return run((id) => before.set(id, before.get(id) ?? documents.get(id) ?? null));
    };
    return this.scheduler.operation(process, made, true, () => {
      this.before.set(documents, before);
      this.unsettled.add(documents, undo);
    });
  }

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
    return { collection: (name: string) => this.collectionOf(process, name) } as unknown as Connection;
  }

  /** @param inTime evaluated when a write takes place: a write that is late is not made */
  collectionOf(process: ProcessId, name: string, inTime: () => () => boolean = () => () => true): ModelCollection {
    const documents = this.documents(process.service, name);
    return new ModelCollection(documents, {
      reads: (run) => this.scheduler.operation(process, () => run(this.seen(documents))),
      writes: (run) => this.write(process, documents, run, inTime()),
    });
  }
}

/** How a process reads a collection, and writes to it. */
interface Access {
  reads<T>(run: (docs: Doc[]) => T): Promise<T>;
  writes<T>(run: (note: (id: string) => void) => T): Promise<T>;
}

function found(docs: Doc[], filter: Filter, { sort, limit = Number.POSITIVE_INFINITY, skip = 0 }: Options): Doc[] {
  const fitting = docs.filter((doc) => fits(doc, filter));
  const [by] = Object.entries(sort ?? {});
  if (by) fitting.sort((a, b) => by[1] * order(valuesAt(a, by[0])[0], valuesAt(b, by[0])[0]) || order(a._id, b._id));
  return fitting.slice(skip, skip + limit).map((doc) => structuredClone(doc));
}

/** As the driver's: what services use of it. */
class ModelCollection {
  private note: (id: string) => void = () => {};

  constructor(
    private readonly documents: Documents,
    private readonly access: Access,
  ) {}

  findOne(filter: Filter = {}, { sort }: Options = {}): Promise<Doc | null> {
    return this.access.reads((docs) => found(docs, filter, { ...(sort ? { sort } : {}), limit: 1 })[0] ?? null);
  }

  find(filter: Filter = {}, options: Options = {}): ModelCursor {
    return new ModelCursor((more) => this.access.reads((docs) => found(docs, filter, { ...options, ...more })));
  }

  countDocuments(filter: Filter): Promise<number> {
    return this.access.reads((docs) => found(docs, filter, {}).length);
  }

  insertOne(doc: Doc): Promise<unknown> {
    const stored = kept(doc);
    return this.writes(() => this.insert(stored));
  }

  deleteMany(filter: Filter): Promise<unknown> {
    return this.writes(() => {
      for (const { _id } of found([...this.documents.values()], filter, {})) {
        this.note(_id);
        this.documents.delete(_id);
      }
    });
  }

  updateMany(filter: Filter, update: Update): Promise<unknown> {
    const given = kept(update);
    return this.writes(() => {
      for (const { _id } of found([...this.documents.values()], filter, {}))
        this.change({ _id }, (before) => updated(before, given), {});
    });
  }

  /** Always with what it made of the document. */
  findOneAndUpdate(filter: Filter, update: Update): Promise<Doc | null> {
    const given = kept(update);
    return this.writes(() => {
      let after: Doc | null = null;
      this.change(
        filter,
        (before) => {
          after = updated(before, given);
          return after;
        },
        {},
      );
      return structuredClone(after);
    });
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
      const ids = await this.access.reads((docs) => found(docs, match.$match, {}).map(({ _id }) => _id));
      const sums: Record<string, unknown> = { _id: null };
      for (const id of ids.sort()) {
        const doc = await this.access.reads((docs) => docs.find(({ _id }) => _id === id));
        for (const [name, { $sum }] of Object.entries(fields)) {
          const value = doc?.[$sum.slice(1)] as number | bigint;
          sums[name] = name in sums ? sum(sums[name], value) : value;
        }
      }
      return ids.length === 0 ? [] : [sums];
    };
    return { toArray };
  }

  private writes<T>(run: () => T): Promise<T> {
    return this.access.writes((note) => {
      this.note = note;
      return run();
    });
  }

  private insert(doc: Doc): void {
    if (this.documents.has(doc._id))
      throw new mongo.MongoServerError({ message: `duplicate ${doc._id}`, code: 11_000 });
    this.note(doc._id);
    this.documents.set(doc._id, structuredClone(doc));
  }

  private change(filter: Filter, step: (before: Doc) => Doc, { upsert = false }: Options): { matchedCount: number } {
    const before = [...this.documents.values()].find((doc) => fits(doc, filter));
    if (before) {
      this.note(before._id);
      this.documents.set(before._id, step(before));
    } else if (upsert) this.insert(step({ _id: filter._id as string }));
    return { matchedCount: before ? 1 : 0 };
  }
}

/** As the driver's cursor: read whole at once. */
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

  skip(skip: number): ModelCursor {
    return new ModelCursor(this.read, { ...this.options, skip });
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
