import { randomBytes } from 'node:crypto';
import type { mongo } from 'mongoose';
import { type Periodic, type PeriodicParts, periodic } from './periodic.js';

/** Interval of storing, ms: a killed replica may lose this much. */
const EVERY_MS = 5_000;

/** One process's counts of one day; `_id` is `<dayKey>:<process>`. */
interface DaySumsDoc {
  _id: string;
  dayKey: string;
  [field: string]: unknown;
}

/** Sums of a day by name. */
type Sums<Name extends string = string> = Partial<Record<Name, bigint>>;

/**
 * Sums over all users by UTC day, for operators' charts. Each replica counts as it writes and stores its sums every few seconds, one
 * document per process and day. No balance depends on them; a killed replica loses its last seconds.
 */
export interface DaySums<Name extends string = string> {
  add(dayKey: string, name: Name, n: bigint): void;
  /** Stores each changed day as a whole, so that repeating it after an unknown outcome changes nothing. */
  flush(): Promise<void>;
  /** Returns the sums over all processes of each day in an inclusive range. Stores this process's own first, if possible. */
  between(first: string, last: string): Promise<{ dayKey: string; sums: Sums<Name> }[]>;
  /** Returns the first day with a count. Stores this process's own first, if possible. */
  first(): Promise<string | null>;
  start: Periodic['start'];
  /** Stores the remaining sums. */
  stop(): Promise<void>;
}

interface DaySumsPlan {
  /** Name in logs and figures. */
  name: string;
  collection: Pick<mongo.Collection<DaySumsDoc>, 'updateOne' | 'find'>;
  /** Field that holds the sums. */
  field: string;
}

export function createDaySums<Name extends string>(
  parts: PeriodicParts,
  { name, collection, field }: DaySumsPlan,
): DaySums<Name> {
  /** Unique name of this process run. */
  const process = randomBytes(8).toString('hex');
  const days = new Map<string, Sums<Name>>();
  const changedDays = new Set<string>();
  const keep = async (): Promise<void> => {
    for (const dayKey of [...changedDays].sort()) {
      // An addition during the write marks the day again.
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
  // A store that takes no writes can still be read.
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
      // ';' follows ':' in order, so the range includes all of the last day.
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
