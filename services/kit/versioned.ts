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

/** What a step makes of a document: the changed one, or null for no change; and an answer. The seq is set here: one above the one before, or above the one that the step has raised. */
export interface Step<D, R> {
  doc: D | null;
  result: R;
}

/** Documents of one collection, changed by pure steps under compare-and-set. */
export interface VersionedDocuments<D extends Versioned> {
  get(id: string): Promise<D | null>;
  /**
   * Reads the document (or the empty one), applies the step, writes it unless another write came between, else starts again.
   * The step is pure: it may run several times. What it adds to the outbox has the cause of the call (`causeNow`).
   * @throws what the step throws, before anything is written; Problem 503 when races are lost too often
   */
  change<R>(id: string, step: (doc: D) => Step<D, R>): Promise<R>;
  /** The same by a step without an answer: the changed document, or null for no change. */
  update(id: string, step: (doc: D) => D | null): Promise<void>;
}

/** The step of an `update` as one of `change`. */
export const withoutAnswer =
  <D>(step: (doc: D) => D | null) =>
  (doc: D): Step<D, void> => ({ doc: step(doc), result: undefined });

/**
 * @param empty the document of an id that is not there yet, with seq 0n
 * @param read what is stored, perhaps by an earlier release, as this release has it; the next write keeps it so
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
  // Changes of one document within this process wait for each other; only those of other processes are raced.
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
      const after = { ...ofCause(before, doc), _id: id, seq: (doc.seq > before.seq ? doc : before).seq + 1n };
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

/** The document whose new events and credits carry their cause. */
function ofCause<D extends MayDeliver>(before: D, doc: D): D {
  return doc.outbox ? { ...doc, outbox: withCause(before.outbox, doc.outbox) } : doc;
}
