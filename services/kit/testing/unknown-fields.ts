import { isDeepStrictEqual } from 'node:util';
import { createConnection, type mongo } from 'mongoose';
import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.js';
import { PASSING } from './stored.js';

type Doc = Record<string, unknown>;

/** What a newer release keeps beside the fields of this one. */
const ADDED = { addedLater: { deep: ['kept'] } };

interface UnknownFieldsOptions {
  /** Lets time go by, so that what was left to a sweep is done. */
  pass(): Promise<unknown>;
  /** Collections whose documents never change, so that a newer release raises no version in them. */
  final?: readonly string[];
  /** Collections that are left alone, with the reason. */
  except?: Readonly<Record<string, string>>;
}

/** What stood in a database when a newer release had written to every document of it. */
export type NewerDocuments = Awaited<ReturnType<typeof writeAsNewer>>;

/**
 * Adds a field to every document, as a newer release would: with a version more. What waits in an outbox is waited for, so
 * that nothing moves meanwhile. A nested object that grows gets a new field beside it: inside of one nothing is kept.
 */
export async function writeAsNewer(
  mongodbUri: string,
  dbName: string,
  { pass, final = [], except = {} }: UnknownFieldsOptions,
) {
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
      const update = { $set: ADDED, ...(versioned ? { $inc: { seq: by } } : {}) };
      await db.collection(collection).updateOne({ _id: doc._id } as never, update as never);
    }
    return allDocuments(db, left);
  });
  const after = () => within((db) => allDocuments(db, left));
  return {
    /** Collections, sorted. */
    collections: [...new Set([...before.keys()].map(collectionOf))].sort(),
    /** Collections of which a document that still stands has lost what was added, sorted. */
    async lost() {
      const now = await after();
      const lost = [...before.keys()].filter((place) => {
        const doc = now.get(place);
        return doc && !isDeepStrictEqual(doc.addedLater, ADDED.addedLater);
      });
      return [...new Set(lost.map(collectionOf))].sort();
    },
    /** Collections of which a document was changed since. */
    async changed() {
      const now = await after();
      const touched = [...before].filter(([place, doc]) => !isDeepStrictEqual(doc, now.get(place)));
      return [...new Set(touched.map(([place]) => collectionOf(place)))].sort();
    },
  };
}

/** Where one document stands. */
interface DocumentPlace {
  dbName: string;
  collection: string;
  id: string;
}

/** Makes a document one of a schema that only a newer release has. @returns what stands there now */
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
const isWaiting = (doc: Doc) => typeof doc.dirtyAt === 'number';

/** Every document by `<collection> <id>`. */
async function allDocuments(db: mongo.Db, left: (name: string) => boolean): Promise<Map<string, Doc>> {
  const found = new Map<string, Doc>();
  for (const { name } of await db.listCollections().toArray()) {
    if (left(name)) continue;
    for await (const doc of db.collection(name).find({}, { useBigInt64: true })) found.set(`${name} ${doc._id}`, doc);
  }
  return found;
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
