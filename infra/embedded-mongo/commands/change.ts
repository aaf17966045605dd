import { BSONRegExp, type Doc, isDoc, ObjectId, typeName, type Value } from '../bson/values.js';
import type { Collection, Stored } from '../engine/collection.js';
import type { WriteKind } from '../engine/store.js';
import { ERROR_CODES, MongoError } from '../errors.js';
import { execute, findInTask, type Query } from '../plan/execute.js';
import type { Update } from '../update/update.js';
import { upsertDocument, withIdFirst } from '../update/upsert.js';
import type { Call, ServerContext } from './context.js';
import { runOf } from './read.js';
import type { Outcome } from './statements.js';

/** The documents that a write applies to. */
export interface Target {
  call: Call;
  namespace: string;
  filterDoc: Doc;
  query: Query;
  kind: WriteKind;
}

/** A change of one document, with the document before and after it for findAndModify. */
export interface Changed {
  before: Stored | undefined;
  after: Buffer | undefined;
  isModified: boolean;
  upsertedId: Value | undefined;
}

/** Maximum retries when another write changes a scan's match before the write task runs. MongoDB has no such limit. */
const MAX_RACES = 1_000;

/** Inside a write task: finds the first match and changes it; 'large' when finding it takes a scan. */
export function changeInTask(
  target: Target,
  change: (collection: Collection, found: Stored) => Changed,
): Changed | undefined | 'large' {
  const collection = target.call.server.database.find(target.namespace);
  if (collection === undefined) return undefined;
  const found = findInTask(target.call.server.store, collection, target.query);
  return found === undefined || found === 'large' ? found : change(collection, found);
}

/**
 * Finds the first match by a scan outside of any task, then changes it inside one if it still matches there; else scans
 * again. When nothing matches, `otherwise` runs inside a task (an upsert, or nothing).
 */
export async function changeByScan(
  target: Target,
  change: (collection: Collection, found: Stored) => Changed,
  otherwise: () => Changed | undefined,
): Promise<Changed | undefined> {
  const { call, namespace, query, kind } = target;
  for (let race = 0; race < MAX_RACES; race++) {
    const collection = call.server.database.find(namespace);
    const candidate = collection === undefined ? undefined : await firstOf(target, collection);
    if (collection === undefined || candidate === undefined) return call.server.store.write(otherwise, kind);
    const changed = await call.server.store.write(() => {
      const current = collection.dropped ? undefined : collection.read(candidate.record);
      return current !== undefined && query.filter.test(current.document) ? change(collection, current) : undefined;
    }, kind);
    if (changed !== undefined) return changed;
  }
  throw new MongoError(112, 'WriteConflict: the document kept changing');
}

async function firstOf(target: Target, collection: Collection): Promise<Stored | undefined> {
  const run = runOf(target.call, target.namespace, target.filterDoc);
  for await (const [first] of execute(run, collection, { ...target.query, limit: 1 })) return first;
  return undefined;
}

/** Documents changed in one write task by a write to many. */
const MANY_CHUNK = 200;

/** Changes every match; each document at most once, also when a change moves it along the scanned index. */
export async function changeMany(
  target: Target,
  change: (collection: Collection, found: Stored) => Changed,
): Promise<Outcome> {
  const { call, namespace, query, kind } = target;
  const collection = call.server.database.find(namespace);
  const outcome: Outcome = { matched: 0, modified: 0 };
  if (collection === undefined) return outcome;
  const done = new Set<number>();
  for await (const chunk of execute(runOf(call, namespace, target.filterDoc), collection, query)) {
    for (let rest = chunk; rest.length > 0 && outcome.error === undefined; ) {
      const part = rest.slice(0, call.server.store.share(MANY_CHUNK));
      rest = rest.slice(part.length);
      await call.server.store.write(() => changePart(collection, query, part, done, change, outcome), kind);
    }
    if (outcome.error !== undefined) break;
  }
  return outcome;
}

function changePart(
  collection: Collection,
  query: Query,
  part: Stored[],
  done: Set<number>,
  change: (collection: Collection, found: Stored) => Changed,
  outcome: Outcome,
): void {
  for (const { record } of part) {
    const current = collection.dropped || done.has(record) ? undefined : collection.read(record);
    if (current === undefined || !query.filter.test(current.document)) continue;
    try {
      const { isModified } = change(collection, current);
      outcome.matched++;
      if (isModified) outcome.modified++;
      done.add(record);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      outcome.error = error;
      return;
    }
  }
}

/** Applies an update to a found document and stores the result. Inside a write task. */
export function updateFound(update: Update, query: Query, collection: Collection, found: Stored): Changed {
  const position: { index: number | undefined } = { index: undefined };
  if (update.usesPosition) query.filter.test(found.document, position);
  const after = update.apply(found.document, { isInsert: false, position: position.index, nowMs: Date.now() });
  const bytes = collection.replace(found, after);
  return { before: found, after: bytes ?? found.bytes, isModified: bytes !== undefined, upsertedId: undefined };
}

export function removeFound(collection: Collection, found: Stored): Changed {
  collection.remove(found);
  return { before: found, after: undefined, isModified: true, upsertedId: undefined };
}

/** Inserts what the filter and the update make. Inside a write task. */
export function upsert(server: ServerContext, namespace: string, query: Query, update: Update): Changed {
  const document = upsertDocument(query.filter, update, Date.now());
  checkStorable(document);
  const stored = server.database.findOrCreate(namespace).insert(document);
  return { before: undefined, after: stored.bytes, isModified: false, upsertedId: document.get('_id') as Value };
}

/** A document for insertion: with an _id, as its first field. */
export function insertable(document: Doc): Doc {
  const whole = document.has('_id')
    ? withIdFirst(document)
    : new Map<string, Value>([['_id', new ObjectId()], ...document]);
  checkStorable(whole);
  return whole;
}

function checkStorable(document: Doc): void {
  const id = document.get('_id') as Value;
  if (Array.isArray(id) || id instanceof BSONRegExp) {
    throw new MongoError(ERROR_CODES.InvalidIdField, `The '_id' value cannot be of type ${typeName(id)}`);
  }
  const foreign = isDoc(id) ? [...id.keys()].find((name) => name.startsWith('$')) : undefined;
  if (foreign !== undefined) {
    throw new MongoError(
      ERROR_CODES.DollarPrefixedFieldName,
      `_id fields may not contain '$'-prefixed fields: ${foreign} is not valid for storage.`,
    );
  }
  for (const name of document.keys()) {
    if (!name.startsWith('$')) continue;
    throw new MongoError(
      ERROR_CODES.DollarPrefixedFieldName,
      `The dollar ($) prefixed field '${name}' in '${name}' is not allowed by the embedded server`,
    );
  }
}
