import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ListOrder, type ListRange, rangesAfter, readAfter } from './keyset.js';

interface Item {
  first: boolean;
  at: number;
  id: string;
}

const ORDER: ListOrder<Item> = [
  ['first', -1],
  ['at', 1],
  ['id', 1],
];

const compare = (a: Item, b: Item) =>
  Number(b.first) - Number(a.first) || a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** As a store does. */
function isIn(item: Item, range: ListRange): boolean {
  return Object.entries(range).every(([field, wanted]) => {
    const value = item[field as keyof Item];
    if (typeof wanted !== 'object') return value === wanted;
    const { $gt, $lt } = wanted as { $gt?: typeof value; $lt?: typeof value };
    return $gt === undefined ? value < ($lt as typeof value) : value > $gt;
  });
}

const items = fc.uniqueArray(
  fc.record({ first: fc.boolean(), at: fc.nat({ max: 3 }), id: fc.constantFrom('a', 'b', 'c', 'd') }),
  { selector: (item) => JSON.stringify(item), maxLength: 30 },
);

it('a list is read to its end page by page, each item once and in order, for any page size', async () => {
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 5 }), async (list, limit) => {
      const sorted = list.toSorted(compare);
      const read = async (range: ListRange, most: number) => sorted.filter((item) => isIn(item, range)).slice(0, most);
      const seen: Item[] = [];
      for (let after: Item | null = null; ; after = seen.at(-1) ?? null) {
        const page: Item[] = await readAfter({ order: ORDER, after, limit }, read);
        expect(page.length).toBeLessThanOrEqual(limit);
        if (page.length === 0) break;
        seen.push(...page);
      }
      expect(seen).toEqual(sorted);
    }),
  );
});

it('the items after a position are read as one index range after the other, the nearest first', () => {
  expect(rangesAfter(ORDER, { first: true, at: 7, id: 'b' })).toEqual([
    { first: true, at: 7, id: { $gt: 'b' } },
    { first: true, at: { $gt: 7 } },
    { first: { $lt: true } },
  ]);
});
