import type { Connection, mongo } from 'mongoose';
import type { OutboxCredit, OutboxDocument, OutboxItem, ParkedCredit } from './items.js';

/** Position of a parked credit in the list. */
export interface ParkedPlace {
  /** Since when the document holds parked credits, ms since epoch; unchanged while it holds one. */
  since: number;
  key: string;
}

export type ListedCredit = ParkedCredit & ParkedPlace;

/** Operations on one collection's documents with an outbox: each is atomic and repeatable. */
interface OutboxDocuments<D extends OutboxDocument = OutboxDocument> {
  collection(): mongo.Collection<OutboxDocument>;
  get(id: string): Promise<D | null>;
  /** Removes delivered items, each event by its {key, seq}, and the mark with the last item. @returns whether nothing is left */
  takeOut(id: string, items: readonly OutboxItem[]): Promise<boolean>;
  /** Parks a credit with its refusal. */
  park(id: string, credit: ParkedCredit): Promise<void>;
  /** Returns a parked credit to its outbox. @returns the credit and its document; null when none is parked under the key */
  unpark(key: string, nowMs: number): Promise<{ id: string; credit: OutboxCredit } | null>;
  /** Removes marks of empty lists. */
  heal(id: string): Promise<void>;
  /** Returns parked credits in order, from a cursor on, at least `limit` if available. */
  parked(page: { after: ParkedPlace | null; limit: number }): Promise<ListedCredit[]>;
}

/** Sort order of parked credits, in one service or merged over all. */
export function parkedOrder(a: ParkedPlace, b: ParkedPlace): number {
  return a.since - b.since || Number(a.key > b.key) - Number(a.key < b.key);
}

type Write = mongo.AnyBulkWriteOperation<OutboxDocument>;

/** An event is matched in the published version; a credit by its key alone, which determines its amount. */
function matchOf(item: OutboxItem): Record<string, unknown> {
  const { kind, key } = item;
  return item.kind === 'event' ? { kind, key, seq: item.seq } : { kind, key };
}

/** Removes one item, and the mark with it, when it is the only one. */
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

/** Removes the mark of an empty list. */
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
      // Others are left, or another process is removing them now: then this was the last after all.
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
        // Includes all parked in the same millisecond, which are sorted by key.
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
