import { isDeepStrictEqual } from 'node:util';
import { createConnection, type mongo } from 'mongoose';
import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.js';
import { PASSING } from './stored.js';

type Doc = Record<string, unknown>;

/** What a newer release keeps beside what this one knows. */
const ADDED = { addedLater: { deep: ['kept'] } };
/** What tells one element of a list from another. */
const IDENTITIES = ['_id', 'id', 'key', 'hash', 'dayKey', 'sessionId', 'userId', 'seq'];

export interface UnknownFieldsOptions {
  /** Paths whose keys are data, as in `records.claims` or `sums.lines`: a field in one would be another entry. */
  maps?: readonly string[];
  /** Lets time go by, so that what was left to a sweep is done. */
  pass(): Promise<unknown>;
  /** Collections whose documents never change, so that a newer release raises no version in them. */
  final?: readonly string[];
  /** Collections that are left alone, with the reason. */
  except?: Readonly<Record<string, string>>;
}

/** What stood in a database when a newer release had written to every document of it. */
export interface NewerDocuments {
  /** Collections, sorted. */
  collections: string[];
  /** Paths of objects that still stand and have lost what was added: `accounts.node`. */
  lost(): Promise<string[]>;
  /** Collections of which a document was changed since. */
  changed(): Promise<string[]>;
}

/**
 * Adds a field to every object at every depth of every document, as a newer release would: with a version more. What waits
 * in an outbox, or as a promise, is waited for, so that nothing moves meanwhile.
 */
export async function writeAsNewer(
  mongodbUri: string,
  dbName: string,
  { pass, maps = [], final = [], except = {} }: UnknownFieldsOptions,
): Promise<NewerDocuments> {
  const left = (name: string) => PASSING.includes(name) || name in except;
  const within = <R>(use: (db: mongo.Db) => Promise<R>) => withDatabase(mongodbUri, dbName, use);
  const before = await within(async (db) => {
    await vi.waitFor(async () => {
      const waiting = [...(await allDocuments(db, left))].filter(([, doc]) => isWaiting(doc));
      if (waiting.length === 0) return;
      await pass();
      throw new Error(`${waiting[0]?.[0]} waits still`);
    }, PATIENCE_MS);
    for (const [place, doc] of await allDocuments(db, left)) {
      const collection = place.slice(0, place.indexOf(' '));
      const versioned = doc.seq !== undefined && !final.includes(collection);
      const by = typeof doc.seq === 'bigint' ? 1n : 1;
      const update = { $set: additions(doc, collection, '', maps), ...(versioned ? { $inc: { seq: by } } : {}) };
      await db.collection(collection).updateOne({ _id: doc._id } as never, update as never);
    }
    return allDocuments(db, left);
  });
  const after = () => within((db) => allDocuments(db, left));
  return {
    collections: [...new Set([...before.keys()].map(collectionOf))].sort(),
    async lost() {
      const now = await after();
      return [...before].flatMap(([place, doc]) => lostOf(doc, now.get(place), collectionOf(place)));
    },
    async changed() {
      const now = await after();
      const touched = [...before].filter(([place, doc]) => !isDeepStrictEqual(doc, now.get(place)));
      return [...new Set(touched.map(([place]) => collectionOf(place)))].sort();
    },
  };
}

/** Where one document stands. */
export interface DocumentPlace {
  dbName: string;
  collection: string;
  id: string;
}

/** Makes a document one of a schema that only a newer release knows. @returns what stands there now */
export async function writeNewerSchema(mongodbUri: string, place: DocumentPlace): Promise<Doc | null> {
  await withDatabase(mongodbUri, place.dbName, (db) =>
    db.collection(place.collection).updateOne({ _id: place.id } as never, { $set: { schemaVersion: 2 } }),
  );
  return storedAt(mongodbUri, place);
}

/** The document as it stands. */
export function storedAt(mongodbUri: string, { dbName, collection, id }: DocumentPlace): Promise<Doc | null> {
  return withDatabase(mongodbUri, dbName, (db) =>
    db.collection(collection).findOne({ _id: id } as never, { useBigInt64: true }),
  );
}

const collectionOf = (place: string) => place.slice(0, place.indexOf(' '));
const isWaiting = (doc: Doc) => typeof doc.dirtyAt === 'number' || typeof doc.promisedAt === 'number';

/** Every document by `<collection> <id>`. */
async function allDocuments(db: mongo.Db, left: (name: string) => boolean): Promise<Map<string, Doc>> {
  const found = new Map<string, Doc>();
  for (const { name } of await db.listCollections().toArray()) {
    if (left(name)) continue;
    for await (const doc of db.collection(name).find({}, { useBigInt64: true })) found.set(`${name} ${doc._id}`, doc);
  }
  return found;
}

/** What is to be set, by path. @param shape the path with `*` for each key of a map and without the places of a list */
function additions(value: unknown, shape: string, path: string, maps: readonly string[]): Doc {
  if (Array.isArray(value))
    return Object.assign({}, ...value.map((one, index) => additions(one, shape, below(path, String(index)), maps)));
  if (!isPlain(value)) return {};
  const isMap = maps.includes(shape);
  const inner = known(value).map(([key, one]) =>
    additions(one, `${shape}.${isMap ? '*' : key}`, below(path, key), maps),
  );
  return Object.assign(isMap ? {} : { [below(path, 'addedLater')]: ADDED.addedLater }, ...inner);
}

function lostOf(before: unknown, after: unknown, path: string): string[] {
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.flatMap((one) => lostOf(one, sameIn(after, one), `${path}[]`));
  }
  if (!isPlain(before) || !isPlain(after)) return [];
  const own = 'addedLater' in before && !isDeepStrictEqual(before.addedLater, after.addedLater) ? [path] : [];
  return [...own, ...known(before).flatMap(([key, one]) => lostOf(one, after[key], `${path}.${key}`))];
}

const known = (value: Doc) => Object.entries(value).filter(([key]) => key !== 'addedLater');

function sameIn(list: unknown[], one: unknown): unknown {
  if (!isPlain(one)) return undefined;
  const name = IDENTITIES.find((each) => each in one);
  return name === undefined
    ? undefined
    : list.find((other) => isPlain(other) && isDeepStrictEqual(other[name], one[name]));
}

function isPlain(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

async function withDatabase<R>(uri: string, dbName: string, use: (db: mongo.Db) => Promise<R>): Promise<R> {
  const connection = createConnection(uri);
  await connection.asPromise();
  try {
    const { db } = connection.useDb(dbName);
    if (!db) throw new Error('no database');
    return await use(db);
  } finally {
    await connection.destroy();
  }
}
