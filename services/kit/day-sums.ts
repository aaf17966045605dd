import { randomBytes } from 'node:crypto';
import type { mongo } from 'mongoose';
import { type Periodic, type PeriodicParts, periodic } from './periodic.js';

/** How much a replica that is killed may leave out, ms. */
const EVERY_MS = 5_000;

/** What one process has counted on one day; `_id` is `<dayKey>:<process>`. */
interface DaySumsDoc {
  _id: string;
  dayKey: string;
  [field: string]: unknown;
}

/** Sums of a day by name. */
type Sums<Name extends string = string> = Partial<Record<Name, bigint>>;

/**
 * Sums over everybody by UTC day, for the pictures of operators: counted by each replica as it writes, and kept every few seconds, a document for
 * each process and day. No balance is made of them; one that is killed leaves its last seconds out.
 */
export interface DaySums<Name extends string = string> {
  add(dayKey: string, name: Name, n: bigint): void;
  /** Keeps what has changed, each day as it stands: the same again changes nothing, so that one whose outcome is not known is kept again. */
  flush(): Promise<void>;
  /** From one day key to another, both included: of each day as many as processes have counted on it. What this one has is kept first, if it can be. */
  between(first: string, last: string): Promise<{ dayKey: string; sums: Sums<Name> }[]>;
  /** The first day that anything was counted on, this process's own kept first, if it can be. */
  first(): Promise<string | null>;
  start: Periodic['start'];
  /** The last of it is kept. */
  stop(): Promise<void>;
}

interface DaySumsPlan {
  /** Of the log and the figures. */
  name: string;
  collection: Pick<mongo.Collection<DaySumsDoc>, 'updateOne' | 'find'>;
  /** That the sums are stored in. */
  field: string;
}

export function createDaySums<Name extends string>(
  parts: PeriodicParts,
  { name, collection, field }: DaySumsPlan,
): DaySums<Name> {
  /** Names this process, and no other that ever was. */
  const process = randomBytes(8).toString('hex');
  const days = new Map<string, Sums<Name>>();
  const changedDays = new Set<string>();
  const keep = async (): Promise<void> => {
    for (const dayKey of [...changedDays].sort()) {
      // What comes while it is kept marks the day anew.
      changedDays.delete(dayKey);
      const $set = { dayKey, [field]: { ...days.get(dayKey) } };
      try {
        await collection.updateOne({ _id: `${dayKey}:${process}` }, { $set }, { upsert: true });
      } catch (error) {
        changedDays.add(dayKey);
        throw error;
      }
    }
  };
  const keeping = periodic(parts, {
    name,
    everyMs: EVERY_MS,
    soon: false,
    everywhere: 'each replica keeps what it has counted itself',
    run: keep,
  });
  // A store that takes no writes still shows what it has.
  const keptFirst = () => keeping.inTurn(keep).catch(() => undefined);
  return {
    add(dayKey, sum, n) {
      const sums: Sums<Name> = days.get(dayKey) ?? {};
      days.set(dayKey, { ...sums, [sum]: (sums[sum] ?? 0n) + n });
      changedDays.add(dayKey);
    },
    flush: () => keeping.inTurn(keep),
    async between(first, last) {
      await keptFirst();
      // ':' and ';' follow each other: all of the last day lies between.
      const found = await collection.find({ _id: { $gte: `${first}:`, $lt: `${last};` } }).toArray();
      return found.map((doc) => ({ dayKey: doc.dayKey, sums: doc[field] as Sums<Name> }));
    },
    async first() {
      await keptFirst();
      const [doc] = await collection.find({}).sort({ _id: 1 }).limit(1).toArray();
      return doc?.dayKey ?? null;
    },
    start: keeping.start,
    async stop() {
      await keeping.stop();
      await keep();
    },
  };
}
