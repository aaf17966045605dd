import { isDeepStrictEqual } from 'node:util';
import type { mongo } from 'mongoose';
import { vi } from 'vitest';
import type { TestBackend } from './backend.js';
import { PATIENCE_MS } from './patience.js';
import { databaseOf, PASSING } from './stored.js';

type Doc = Record<string, unknown>;
type Stores = Pick<TestBackend, 'storeOf'>;

/** A newer release's additional fields. */
const ADDED = { addedLater: { deep: ['kept'] } };

interface UnknownFieldsOptions {
  /** Lets time pass, so that pending sweeps run. */
  pass(): Promise<unknown>;
  /** Collections with immutable documents, in which a newer release raises no version. */
  final?: readonly string[];
  /** Collections to skip, with the reason. */
  except?: Readonly<Record<string, string>>;
}

/** A database's content after a newer release has written every document. */
export type NewerDocuments = Awaited<ReturnType<typeof writeAsNewer>>;

/**
 * Adds a field to every document, as a newer release would, with a raised version. It first waits for outboxes to empty, so
 * that nothing changes meanwhile. A growing nested object gets a new field beside it, because fields inside it are not kept.
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
    /** Collections in which an existing document has lost the added field, sorted. */
    async lost() {
      const now = await after();
      const lost = [...before.keys()].filter((place) => {
        const doc = now.get(place);
        return doc && !isDeepStrictEqual(doc.addedLater, ADDED.addedLater);
      });
      return [...new Set(lost.map(collectionOf))].sort();
    },
    /** Collections with a document changed since. */
    async changed() {
      const now = await after();
      const touched = [...before].filter(([place, doc]) => !isDeepStrictEqual(doc, now.get(place)));
      return [...new Set(touched.map(([place]) => collectionOf(place)))].sort();
    },
  };
}

/** Location of one document. */
interface DocumentPlace {
  service: string;
  collection: string;
  id: string;
}

/** Sets a document's schema to one that only a newer release knows. @returns the stored document */
export async function writeNewerSchema(backend: Stores, place: DocumentPlace): Promise<Doc | null> {
  const db = await databaseOf(backend, place.service);
  await db.collection(place.collection).updateOne({ _id: place.id } as never, { $set: { schemaVersion: 2 } });
  return storedAt(backend, place);
}

/** Returns the stored document. */
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
