import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import { vi } from 'vitest';
import type { TestBackend } from './backend.js';
import { PATIENCE_MS } from './patience.js';
import { databaseOf, PASSING } from './stored.js';

type Doc = Record<string, unknown>;
type Stores = Pick<TestBackend, 'storeOf'>;

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
  backend: Stores,
  service: string,
  { pass, final = [], except = {} }: UnknownFieldsOptions,
) {
  const left = (name: string) => PASSING.includes(name) || name in except;
  const db = await databaseOf(backend, service);
  await vi.waitFor(async () => {
    const waiting = [...(await allDocuments(db, left))].filter(([, doc]) => isWaiting(doc));
    if (waiting.length === 0) return;
    await pass();
    throw new Error(`${waiting[0]?.[0]} waits still`);
  }, PATIENCE_MS);
  for (const [place, doc] of await allDocuments(db, left)) {
    const collection = collectionOf(place);
    const versioned = doc.seq !== undefined && !final.includes(collection);
    const by = typeof doc.seq === 'bigint' ? 1n : 1;
    const update = { $set: ADDED, ...(versioned ? { $inc: { seq: by } } : {}) };
    await db.collection(collection).updateOne({ _id: doc._id } as never, update as never);
  }
  const before = await allDocuments(db, left);
  const after = () => allDocuments(db, left);
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
  service: string;
  collection: string;
  id: string;
}

/** Makes a document one of a schema that only a newer release has. @returns what stands there now */
export async function writeNewerSchema(backend: Stores, place: DocumentPlace): Promise<Doc | null> {
  const db = await databaseOf(backend, place.service);
  await db.collection(place.collection).updateOne({ _id: place.id } as never, { $set: { schemaVersion: 2 } });
  return storedAt(backend, place);
}

/** The document as it stands. */
export async function storedAt(backend: Stores, { service, collection, id }: DocumentPlace): Promise<Doc | null> {
  return (await databaseOf(backend, service)).collection(collection).findOne({ _id: id } as never);
}

const collectionOf = (place: string) => place.slice(0, place.indexOf(' '));
const isWaiting = (doc: Doc) => typeof doc.dirtyAt === 'number';

/** Every document by `<collection> <id>`. */
async function allDocuments(db: mongo.Db, left: (name: string) => boolean): Promise<Map<string, Doc>> {
  const found = new Map<string, Doc>();
  for (const { name } of await db.listCollections().toArray()) {
    if (left(name)) continue;
    for await (const doc of db.collection(name).find()) found.set(`${name} ${doc._id}`, doc);
  }
  return found;
}
