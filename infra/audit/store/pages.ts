import type { mongo } from 'mongoose';

/** One or two sort fields, the outer one first. */
export type PageOrder = readonly [field: string, direction: 1 | -1][];

type Doc = Record<string, unknown>;

/**
 * Reads a collection page by page, each with a query that starts after the last document. No cursor stays open
 * between pages: MongoDB closes one whose session was idle for 30 minutes, whatever its options.
 * @param order fields with an index; documents equal in all of them come once each
 * @param size documents per page
 */
export async function* paged<D extends object>(
  collection: mongo.Collection,
  filter: object,
  order: PageOrder,
  size: number,
): AsyncGenerator<D> {
  /** The last document's position, and the ids already read there. */
  let [place, read]: [string | null, unknown[]] = [null, []];
  let ranges: object[] = [{}];
  for (;;) {
    let page: Doc[] = [];
    for (const range of ranges) {
      const found = collection.find({ $and: [filter, range] }).sort(Object.fromEntries(order));
      const most = size + read.length;
      page = (await found.limit(most).batchSize(most).toArray()).filter(({ _id }) => !read.includes(_id));
      if (page.length > 0) break;
    }
    const last = page.at(-1);
    if (!last) return;
    for (const document of page) {
      const at = placeOf(order, document);
      if (at !== place) [place, read] = [at, []];
      read.push(document._id);
    }
    ranges = rangesFrom(order, last);
    yield* page as unknown as D[];
  }
}

const placeOf = (order: PageOrder, document: Doc) => order.map(([field]) => String(document[field])).join(' ');

/** Returns the ranges after a document: first the rest with the same first field, then what follows. Each is one range of the index. */
function rangesFrom(order: PageOrder, last: Doc): object[] {
  return order
    .map(([field, direction], at) => {
      const same = Object.fromEntries(order.slice(0, at).map(([name]) => [name, last[name]]));
      const isInner = at === order.length - 1;
      const behind = direction === 1 ? '$gt' : '$lt';
      return { ...same, [field]: { [isInner ? `${behind}e` : behind]: last[field] } };
    })
    .reverse();
}
