import type { mongo } from 'mongoose';

/** Fields by which documents are read, the first one first: one, or one and another within it. */
export type PageOrder = readonly [field: string, direction: 1 | -1][];

type Doc = Record<string, unknown>;

/**
 * Reads a collection page by page, each by a query of its own behind the last document of the page before. No cursor stays open between two pages: a
 * MongoDB closes one whose session was idle for 30 minutes, whatever the options of its cursor.
 * @param order an index has these fields; documents that agree in all of them come once each
 * @param size documents of one page
 */
export async function* paged<D extends object>(
  collection: mongo.Collection,
  filter: object,
  order: PageOrder,
  size: number,
): AsyncGenerator<D> {
  /** At the place of the last document: those that were read. */
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

/** From a document on: the rest of what agrees with it in the first field, then what comes after that. Each is one range of the index. */
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
