import type { Connection, mongo } from 'mongoose';
import type { OutboxCredit, OutboxDocument, OutboxItem, ParkedCredit } from './items.js';

/** What a parked credit's place in the list is made of. */
export interface ParkedPlace {
  /** Since when the document holds parked credits, ms since epoch; stays while it holds one. */
  since: number;
  key: string;
}

export type ListedCredit = ParkedCredit & ParkedPlace;

/** The steps on the documents of one collection that have an outbox: each is atomic and may be repeated. */
interface OutboxDocuments<D extends OutboxDocument = OutboxDocument> {
  collection(): mongo.Collection<OutboxDocument>;
  get(id: string): Promise<D | null>;
  /** Takes delivered items out, each event by its {key, seq}; the mark goes with the last item. @returns whether nothing is left */
  takeOut(id: string, items: readonly OutboxItem[]): Promise<boolean>;
  /** Sets a credit aside with its refusal. */
  park(id: string, credit: ParkedCredit): Promise<void>;
  /** Puts a parked credit back into its outbox. @returns the credit and its document; null when none is parked under the key */
  unpark(key: string, nowMs: number): Promise<{ id: string; credit: OutboxCredit } | null>;
  /** Takes marks away that stand for nothing. */
  heal(id: string): Promise<void>;
  /** Parked credits in the order of their places, at least `limit` if there are as many; those behind a place. */
  parked(page: { after: ParkedPlace | null; limit: number }): Promise<ListedCredit[]>;
}

/** The order of the list of parked credits, of one service or of all together. */
export function parkedOrder(a: ParkedPlace, b: ParkedPlace): number {
  return a.since - b.since || Number(a.key > b.key) - Number(a.key < b.key);
}

type Write = mongo.AnyBulkWriteOperation<OutboxDocument>;

/** An event is taken out in the version that went out; a credit by its key alone, which stands for one amount. */
function matchOf(item: OutboxItem): Record<string, unknown> {
  const { kind, key } = item;
  return item.kind === 'event' ? { kind, key, seq: item.seq } : { kind, key };
}

/** Takes one item out, and the mark with it, where it is the only one. */
function takeLast(id: string, item: OutboxItem): Write {
  const is = Object.fromEntries(Object.entries(matchOf(item)).map(([field, value]) => [`outbox.${field}`, value]));
  return {
    updateOne: {
      filter: { _id: id, outbox: { $size: 1 }, ...is } as mongo.Filter<OutboxDocument>,
      update: { $pull: { outbox: matchOf(item) }, $unset: { dirtyAt: '' } } as mongo.UpdateFilter<OutboxDocument>,
    },
  };
}

function take(id: string, item: OutboxItem): Write {
  const update = { $pull: { outbox: matchOf(item) } } as mongo.UpdateFilter<OutboxDocument>;
  return { updateOne: { filter: { _id: id }, update } };
}

/** Takes the mark of a list away that is empty. */
function unmark(id: string, field: 'outbox' | 'parked', mark: 'dirtyAt' | 'parkedAt'): Write {
  const filter = {
    _id: id,
    [mark]: { $exists: true },
    $or: [{ [field]: { $size: 0 } }, { [field]: { $exists: false } }],
  } as mongo.Filter<OutboxDocument>;
  return { updateOne: { filter, update: { $unset: { [mark]: '' } } as mongo.UpdateFilter<OutboxDocument> } };
}

const marksGo = (id: string): Write[] => [unmark(id, 'outbox', 'dirtyAt'), unmark(id, 'parked', 'parkedAt')];

export function outboxDocuments<D extends OutboxDocument>(store: Connection, collection: string): OutboxDocuments<D> {
  const documents = (): mongo.Collection<OutboxDocument> => store.collection<OutboxDocument>(collection);
  const heal = async (id: string): Promise<void> => void (await documents().bulkWrite(marksGo(id)));
  return {
    heal,
    collection: documents,
    get: async (id) => (await documents().findOne({ _id: id })) as D | null,
    async takeOut(id, items) {
      const last = items.at(-1);
      if (!last) return true;
      const others = items.slice(0, -1).map((item) => take(id, item));
      const written = await documents().bulkWrite([...others, takeLast(id, last)]);
      if (written.matchedCount === items.length) return true;
      // Others are left, or another process takes them out at this moment: then this was the last after all.
      await documents().bulkWrite([take(id, last), unmark(id, 'outbox', 'dirtyAt')]);
      return false;
    },
    async park(id, credit) {
      const is = { $elemMatch: { kind: 'credit', key: credit.key } };
      await documents().updateOne(
        { _id: id, outbox: is } as mongo.Filter<OutboxDocument>,
        {
          $pull: { outbox: matchOf(credit) },
          $push: { parked: credit },
          $min: { parkedAt: credit.parkedAtMs },
        } as mongo.UpdateFilter<OutboxDocument>,
      );
      await heal(id);
    },
    async unpark(key, nowMs) {
      const document = await documents().findOne({ parkedAt: { $gt: 0 }, 'parked.key': key });
      const found = document?.parked?.find((credit) => credit.key === key);
      if (!document || !found) return null;
      const { refusal: _refusal, message: _message, parkedAtMs: _parkedAtMs, ...credit } = found;
      const again = { $pull: { parked: { key } }, $push: { outbox: credit }, $min: { dirtyAt: nowMs } };
      const { _id } = document;
      const last = await documents().updateOne({ _id, parked: { $size: 1 }, 'parked.key': key }, {
        ...again,
        $unset: { parkedAt: '' },
      } as mongo.UpdateFilter<OutboxDocument>);
      if (last.matchedCount === 1) return { id: _id, credit };
      const one = await documents().updateOne({ _id, 'parked.key': key }, again as mongo.UpdateFilter<OutboxDocument>);
      await heal(_id);
      return one.matchedCount === 1 ? { id: _id, credit } : null;
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
  };
}
