import { collection } from '@cord/kit/collection';
import type { Connection } from 'mongoose';

/** How far the users with a device have been gone through for one piece of news. */
interface WalkDoc {
  /** The key of the news. */
  _id: string;
  /** Up to which id of a user; null once all have been. */
  after: string | null;
}

export const WALKS = collection<WalkDoc>({ name: 'epoch_walks' });

export interface EpochWalks {
  /** Where to go on after; '' at the beginning, null at the end. */
  at(key: string): Promise<string | null>;
  /** Keeps that a batch is done, unless another replica has done it meanwhile. */
  goOn(key: string, from: string, to: string | null): Promise<void>;
}

export function openEpochWalks(connection: Connection): EpochWalks {
  const walks = WALKS.in(connection);
  return {
    async at(key) {
      const walk = await walks.findOne({ _id: key });
      return walk === null ? '' : walk.after;
    },
    async goOn(key, from, to) {
      await walks.updateOne({ _id: key }, { $setOnInsert: { after: '' } }, { upsert: true });
      await walks.updateOne({ _id: key, after: from }, { $set: { after: to } });
    },
  };
}
