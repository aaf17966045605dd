import { collection } from '@cord/kit/collection';
import { lru } from '@cord/kit/lru';
import type { Connection } from 'mongoose';

const ENDED_KEPT_MAX = 1_000;

/** Progress of one piece of news through the users with a device. */
interface WalkDoc {
  /** Key of the news. */
  _id: string;
  /** Last processed user id; null once all are done. */
  after: string | null;
}

export const WALKS = collection<WalkDoc>({ name: 'epoch_walks' });

export type EpochWalks = ReturnType<typeof openEpochWalks>;

export function openEpochWalks(connection: Connection) {
  const walks = WALKS.in(connection);
  /** Ended walks, which never change: the news of a running epoch is checked every second for a day. */
  const ended = lru<string, true>(ENDED_KEPT_MAX);
  return {
    /** Returns the user id after which to resume; '' at the beginning, null at the end. */
    async at(key: string) {
      if (ended.has(key)) return null;
      const walk = await walks.findOne({ _id: key });
      if (walk?.after === null) ended.set(key, true);
      return walk === null ? '' : walk.after;
    },
    /** Stores that a batch is done, unless another replica has done it meanwhile. */
    async advance(key: string, from: string, to: string | null) {
      await walks.updateOne({ _id: key }, { $setOnInsert: { after: '' } }, { upsert: true });
      await walks.updateOne({ _id: key, after: from }, { $set: { after: to } });
    },
  };
}
