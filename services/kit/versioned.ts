import type { mongo } from 'mongoose';
import { type Caused, withCause } from './cause.js';
import { compareAndSet, LOST } from './compare-and-set.js';
import { createKeyedMutex } from './keyed-mutex.js';
import { insertOnce } from './store-errors.js';

/** A document that is changed by compare-and-set on its version. */
export interface Versioned {
  _id: string;
  /** Rises by one with each change. */
  seq: bigint;
}

/** A document that may have an outbox (outbox/items.ts). */
interface MayDeliver extends Versioned {
  outbox?: Caused[];
}

/** Result of a step: the changed document, or null for no change, and a return value. The seq is set here: one above the previous one, or above a seq that the step has raised. */
export interface Step<D, R> {
  doc: D | null;
  result: R;
}

/** One collection's documents, changed by pure steps with compare-and-set. */
export interface VersionedDocuments<D extends Versioned> {
  get(id: string): Promise<D | null>;
  /**
   * Reads the document (or the empty one), applies the step and writes it, and starts again when another write came between.
   * The step must be pure, because it may run several times. Items it adds to the outbox get the call's cause (`currentCause`).
   * @throws what the step throws, before anything is written; Problem 503 after too many lost races
   */
  change<R>(id: string, step: (doc: D) => Step<D, R>): Promise<R>;
  /** The same for a step without a return value: the changed document, or null for no change. */
  update(id: string, step: (doc: D) => D | null): Promise<void>;
}

/** Converts a step of `update` to one of `change`. */
export const withoutAnswer =
  <D>(step: (doc: D) => D | null) =>
  (doc: D): Step<D, void> => ({ doc: step(doc), result: undefined });

/**
 * @param empty returns a new document for an id, with seq 0n
 * @param read upgrades a stored document to this release; the next write stores it so
 */
export function versionedDocuments<D extends Versioned>(
  collection: mongo.Collection<Versioned>,
  empty: (id: string) => D,
  read: (stored: D) => D,
): VersionedDocuments<D> {
  const get = async (id: string) => {
    const stored = (await collection.findOne({ _id: id })) as D | null;
    return stored && read(stored);
  };
  const mutex = createKeyedMutex();
  // Changes of one document are sequential within this process; only other processes are raced.
  const change = <R>(id: string, step: (doc: D) => Step<D, R>) => mutex.run(id, () => changeNow(id, step));
  return {
    get,
    change,
    update: (id, step) => change(id, withoutAnswer(step)),
  };

  async function changeNow<R>(id: string, step: (doc: D) => Step<D, R>): Promise<R> {
    return compareAndSet(async () => {
      const stored = await get(id);
      const before = stored ?? empty(id);
      const { doc, result } = step(before);
      if (doc === null) return result;
      const after = { ...withCurrentCause(before, doc), _id: id, seq: (doc.seq > before.seq ? doc : before).seq + 1n };
      return (stored ? await replaced(before.seq, after) : await insertOnce(() => collection.insertOne(after)))
        ? result
        : LOST;
    });
  }

  async function replaced(seq: bigint, after: D): Promise<boolean> {
    const { _id, ...fields } = after;
    return (await collection.replaceOne({ _id, seq }, fields)).matchedCount === 1;
  }
}

/** Adds the cause to the document's new events and credits. */
function withCurrentCause<D extends MayDeliver>(before: D, doc: D): D {
  return doc.outbox ? { ...doc, outbox: withCause(before.outbox, doc.outbox) } : doc;
}
