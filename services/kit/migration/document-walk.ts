import type { Connection, mongo } from 'mongoose';
import type { AnyCollection, Backfill } from '../collection.js';
import { type Schemed, upgrade } from '../document-schema.js';
import { backfillState, versionOf } from './plan.js';
import { FILLED, statesOf } from './state.js';

type Stored = Schemed & { _id: string; seq?: bigint | number; [field: string]: unknown };

/** Maximum lost races with other writes. */
const TRIES_MAX = 100;

/**
 * Walks collections by id and records its position after each batch.
 * @param given.hold runs before each write and throws when another has taken over; @param given.onChanged runs per changed document
 * @returns `toSchema` brings each document to the last schema, `fill` runs a backfill on each; both return false when already done
 */
export function documentWalk(
  store: Connection,
  given: { batch: number; hold: () => Promise<void>; onChanged: () => void },
) {
  const { batch, hold, onChanged } = given;
  const states = statesOf(store);

  return {
    toSchema: (collection: AnyCollection): Promise<boolean> =>
      walk(collection.name, collection.name, versionOf(collection), (document) => change(collection, document)),
    fill: (collection: AnyCollection, backfill: Backfill): Promise<boolean> =>
      walk(backfillState(collection, backfill), collection.name, FILLED, (document) =>
        backfill.each(store, document, hold),
      ),
  };

  async function walk(
    id: string,
    name: string,
    version: number,
    one: (document: Stored) => Promise<void>,
  ): Promise<boolean> {
    // Every document starts at schema 1.
    if (version === 1) return false;
    const state = await states.findOne({ _id: id });
    const from = state?.version ?? 1;
    if (from >= version) return false;
    if (!state) await begin(id);
    // Only of this version: a slow process moves no position of a later one, and no position moves back.
    const mine = { _id: id, version: from };
    for (let after = state?.place ?? ''; ; ) {
      const documents = (await store
        .collection<Stored>(name)
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(batch)
        .toArray()) as Stored[];
      for (const document of documents) await one(document);
      const last = documents.at(-1);
      if (last === undefined) break;
      after = last._id;
      await hold();
      await states.updateOne(mine, { $max: { place: after } });
    }
    await hold();
    await states.updateOne(mine, { $set: { version }, $unset: { place: 1 } });
    return true;
  }

  async function begin(_id: string): Promise<void> {
    await hold();
    await states.updateOne({ _id }, { $setOnInsert: { version: 1, indexes: [], gone: [] } }, { upsert: true });
  }

  async function change(collection: AnyCollection, read: Stored): Promise<void> {
    const documents = store.collection<Stored>(collection.name);
    let document: Stored | null = read;
    for (let tries = 0; document !== null && tries < TRIES_MAX; tries += 1) {
      const write = writeOf(collection, document);
      if (write === null) return;
      await hold();
      if ((await documents.updateOne(write.where, write.update)).matchedCount === 1) return onChanged();
      document = (await documents.findOne({ _id: read._id })) as Stored | null;
    }
    if (document !== null) throw new Error(`${collection.name} ${read._id} kept being changed by others`);
  }
}

/**
 * Builds the compare-and-set that brings a document to the last schema. It compares the schema, and the version or, without
 * one, the changed fields. Null for a document that is current, or of a later release.
 */
function writeOf(collection: AnyCollection, document: Stored) {
  const { schema } = collection;
  const { schemaVersion } = document;
  if (!schema || Number(schemaVersion ?? 1) >= versionOf(collection)) return null;
  const next = upgrade(document, schema) as Stored;
  const fields = new Set([...Object.keys(document), ...Object.keys(next)]);
  const changed = [...fields].filter((field) => field !== 'schemaVersion' && next[field] !== document[field]);
  if (changed.length === 0) return null;
  const held = (field: string) => (field in document ? document[field] : { $exists: false });
  const where = {
    _id: document._id,
    schemaVersion: held('schemaVersion'),
    ...('seq' in document ? { seq: document.seq } : Object.fromEntries(changed.map((field) => [field, held(field)]))),
  };
  const set = Object.fromEntries(changed.filter((field) => field in next).map((field) => [field, next[field]]));
  const unset = Object.fromEntries(changed.filter((field) => !(field in next)).map((field) => [field, 1]));
  const update = {
    $set: { ...set, schemaVersion: next.schemaVersion },
    ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
  };
  return { where, update } as { where: mongo.Filter<Stored>; update: mongo.UpdateFilter<Stored> };
}
