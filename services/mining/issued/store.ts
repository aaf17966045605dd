import type { FinishedDay } from '../ledger/account.js';
import type { IssuedDoc, Models } from '../store/models.js';
import type { BySource } from './count.js';

/** What processes have credited, a document for each of them and each day. */
export interface IssuedStore {
  /** Overwrites what this process has credited on a day. */
  keep(dayKey: string, bySource: BySource): Promise<void>;
  /** From one day key to another, both included: of each day as many as processes have credited on it. */
  between(first: string, last: string): Promise<FinishedDay[]>;
  /** The first day that anything was counted on. */
  first(): Promise<string | null>;
}

/** @param process names this process, and no other that ever was */
export function createIssuedStore({ issued }: Pick<Models, 'issued'>, process: string): IssuedStore {
  return {
    async keep(dayKey, bySource) {
      await issued.updateOne({ _id: `${dayKey}:${process}` }, { $set: { dayKey, bySource } }, { upsert: true });
    },
    async between(first, last) {
      // ':' and ';' follow each other: all of the last day lies between.
      const docs = await issued.find({ _id: { $gte: `${first}:`, $lt: `${last};` } }).lean<IssuedDoc[]>();
      return docs.map(({ dayKey, bySource }) => ({ userId: '', dayKey, bySource, ranMs: 0 }));
    },
    async first() {
      const [doc] = await issued.find().sort({ _id: 1 }).limit(1).lean<IssuedDoc[]>();
      return doc?.dayKey ?? null;
    },
  };
}
