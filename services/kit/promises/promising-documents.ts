import type { Source } from '@cord/contracts/events/balance';
import type { Connection, mongo } from 'mongoose';
import type { Caused } from '../cause.js';

/** A credit as its caller has stored it before asking the ledger; retried as it stands (services/mining/ledger/README.md#credit), also with its cause. */
export interface PromisedCredit extends Caused {
  /** Idempotency key. */
  key: string;
  userId: string;
  source: Source;
  amountMicro: bigint;
  reason: string;
}

/** A promise that the ledger has refused for good; it waits for an admin. */
export interface ParkedCredit extends PromisedCredit {
  /** Type of the refusal: `key-conflict`, `amount-not-allowed`. */
  refusal: string;
  message: string;
  /** ms since epoch. */
  parkedAtMs: number;
}

/** What a parked credit's place in the list is made of. */
export interface ParkedPlace {
  /** Since when the document holds parked credits, ms since epoch; stays while it holds one. */
  since: number;
  key: string;
}

export type ListedCredit = ParkedCredit & ParkedPlace;

/** What a document owes the ledger. */
export interface Promises {
  promised?: PromisedCredit[];
  /** When the oldest promise was made, ms since epoch: the sweep looks five seconds after it. There while `promised` is not empty. */
  promisedAt?: number;
  parked?: ParkedCredit[];
  /** ms since epoch; there while `parked` is not empty. */
  parkedAt?: number;
}

export interface PromisingDocument extends Promises {
  _id: string;
}

/** The steps on documents that promise credits: each is one atomic write and may be repeated. */
export interface PromisingDocuments {
  collection(): mongo.Collection<PromisingDocument>;
  /** What a document promises, the oldest first. */
  promisedIn(id: string): Promise<PromisedCredit[]>;
  /** Takes a promise out; the marks go with the last one. */
  takeOut(id: string, key: string): Promise<void>;
  /** Sets a promise aside with its refusal. */
  park(id: string, credit: ParkedCredit): Promise<void>;
  /** Makes a parked credit a promise again. @returns the credit and its document; null when none is parked under the key */
  unpark(key: string, nowMs: number): Promise<{ id: string; credit: PromisedCredit } | null>;
  /** Takes marks away that stand for nothing. */
  heal(id: string): Promise<void>;
  /** Parked credits in the order of their places, at least `limit` if there are as many; those behind a place. */
  parked(page: { after: ParkedPlace | null; limit: number }): Promise<ListedCredit[]>;
  /** Documents with promises and with parked credits, at most `most` each, and since when the oldest promise waits. */
  figures(most: number): Promise<{ promising: number; parking: number; oldestMs: number | null }>;
}

/** The order of the list of parked credits, of one service or of all together. */
export function parkedOrder(a: ParkedPlace, b: ParkedPlace): number {
  return a.since - b.since || Number(a.key > b.key) - Number(a.key < b.key);
}

const EMPTY = (field: 'promised' | 'parked') => ({
  $or: [{ [field]: { $size: 0 } }, { [field]: { $exists: false } }],
});

export function promisingDocuments(store: Connection, collection: string): PromisingDocuments {
  const documents = (): mongo.Collection<PromisingDocument> => store.collection<PromisingDocument>(collection);
  const heal = async (id: string): Promise<void> => {
    await documents().bulkWrite([
      {
        updateOne: {
          filter: { _id: id, ...EMPTY('promised') } as mongo.Filter<PromisingDocument>,
          update: { $unset: { promisedAt: '' } },
        },
      },
      {
        updateOne: {
          filter: { _id: id, ...EMPTY('parked') } as mongo.Filter<PromisingDocument>,
          update: { $unset: { parkedAt: '' } },
        },
      },
    ]);
  };
  return {
    heal,
    collection: documents,
    async promisedIn(id) {
      const document = await documents().findOne({ _id: id }, { projection: { promised: 1 } });
      return document?.promised ?? [];
    },
    async takeOut(id, key) {
      const last = await documents().updateOne(
        { _id: id, promised: { $size: 1 }, 'promised.key': key },
        { $pull: { promised: { key } }, $unset: { promisedAt: '' } },
      );
      if (last.matchedCount === 1) return;
      await documents().updateOne({ _id: id }, { $pull: { promised: { key } } });
      // Another may have taken out the others meanwhile: then this was the last one after all.
      await heal(id);
    },
    async park(id, credit) {
      await documents().updateOne(
        { _id: id, 'promised.key': credit.key },
        {
          $pull: { promised: { key: credit.key } },
          $push: { parked: credit },
          $min: { parkedAt: credit.parkedAtMs },
        },
      );
      await heal(id);
    },
    async unpark(key, nowMs) {
      const document = await documents().findOne({ parkedAt: { $gt: 0 }, 'parked.key': key });
      const found = document?.parked?.find((credit) => credit.key === key);
      if (!document || !found) return null;
      const { refusal: _refusal, message: _message, parkedAtMs: _parkedAtMs, ...credit } = found;
      const again = { $push: { promised: credit }, $min: { promisedAt: nowMs } };
      const last = await documents().updateOne(
        { _id: document._id, parked: { $size: 1 }, 'parked.key': key },
        { ...again, $pull: { parked: { key } }, $unset: { parkedAt: '' } },
      );
      if (last.matchedCount === 1) return { id: document._id, credit };
      const { matchedCount } = await documents().updateOne(
        { _id: document._id, 'parked.key': key },
        { ...again, $pull: { parked: { key } } },
      );
      await heal(document._id);
      return matchedCount === 1 ? { id: document._id, credit } : null;
    },
    async parked({ after, limit }) {
      const listed: ListedCredit[] = [];
      const found = documents()
        .find({ parkedAt: { $gte: after?.since ?? 1 } }, { projection: { parked: 1, parkedAt: 1 } })
        .sort({ parkedAt: 1 });
      for await (const { _id, parked = [], parkedAt: since = 0 } of found) {
        if (parked.length === 0) await heal(_id);
        // What was parked in the same millisecond comes along: the order among those is by key.
        if (listed.length >= limit && listed.at(-1)?.since !== since) break;
        for (const credit of parked) {
          const place = { ...credit, since };
          if (!after || parkedOrder(after, place) < 0) listed.push(place);
        }
      }
      return listed.sort(parkedOrder);
    },
    async figures(most) {
      const [promising, parking, oldest] = await Promise.all([
        documents().countDocuments({ promisedAt: { $gt: 0 } }, { limit: most }),
        documents().countDocuments({ parkedAt: { $gt: 0 } }, { limit: most }),
        documents().findOne({ promisedAt: { $gt: 0 } }, { sort: { promisedAt: 1 }, projection: { promisedAt: 1 } }),
      ]);
      return { promising, parking, oldestMs: oldest?.promisedAt ?? null };
    },
  };
}

/** A document that owes the ledger nothing more: what erasure leaves (services/README.md#erasure). */
export function withoutPromises<D extends Promises>({
  promised: _promised,
  promisedAt: _promisedAt,
  parked: _parked,
  parkedAt: _parkedAt,
  ...document
}: D): Omit<D, keyof Promises> {
  return document;
}
