import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BSON, ids, useServer } from './harness.js';

const server = useServer();

describe('any plan returns the same as a full scan', () => {
  const { Double, Long } = BSON;
  const scalar = fc.oneof(
    { arbitrary: fc.integer({ min: 0, max: 4 }), weight: 6 },
    fc.constantFrom<unknown>(
      null,
      'a',
      'b',
      '',
      true,
      new Double(1.5),
      new Double(Number.NaN),
      Long.fromNumber(3),
      new Date(1),
      { x: 1 },
      { y: 2 },
    ),
  );
  const field = fc.oneof({ arbitrary: scalar, weight: 4 }, fc.array(scalar, { maxLength: 3 }), fc.constant(undefined));
  const inner = fc.record({ x: field, y: field });
  const documents = fc.array(
    fc.record({ a: field, b: field, c: fc.oneof(inner, fc.array(inner, { maxLength: 3 }), scalar) }),
    { minLength: 5, maxLength: 25 },
  );
  const paths = fc.constantFrom('a', 'b', 'c.x', 'c.y', 'c.x', 'c.y', 'a.0');
  const condition = fc.oneof(
    scalar,
    scalar.map((value) => ({ $gt: value })),
    scalar.map((value) => ({ $gte: value })),
    scalar.map((value) => ({ $lt: value })),
    scalar.map((value) => ({ $lte: value })),
    fc.tuple(scalar, scalar).map(([low, high]) => ({ $gte: low, $lte: high })),
    fc.array(scalar, { maxLength: 3 }).map((list) => ({ $in: list })),
    scalar.map((value) => ({ $ne: value })),
    fc.boolean().map((wanted) => ({ $exists: wanted })),
    scalar.map((value) => ({ $elemMatch: { $gte: value } })),
    fc.array(scalar, { maxLength: 2 }),
  );
  const clause = fc.tuple(paths, condition).map(([path, wanted]) => ({ [path]: wanted }));
  const filters = fc.oneof(
    clause,
    fc.tuple(clause, clause).map(([one, two]) => ({ ...one, ...two })),
    fc.array(clause, { minLength: 1, maxLength: 3 }).map((all) => ({ $or: all })),
    fc.tuple(clause, fc.array(clause, { minLength: 1, maxLength: 2 })).map(([one, any]) => ({ ...one, $or: any })),
  );
  const direction = fc.constantFrom(1, -1);
  const indexes = fc.uniqueArray(
    fc.tuple(
      fc.uniqueArray(paths, { minLength: 1, maxLength: 2 }),
      direction,
      direction,
      fc.constantFrom(
        {},
        { sparse: true },
        { partialFilterExpression: { a: { $gte: 1 } } },
        { partialFilterExpression: { b: { $exists: true } } },
      ),
    ),
    { minLength: 1, maxLength: 3, selector: ([keys]) => keys.join() },
  );
  const sorts = fc.oneof(
    fc.constant({}),
    fc
      .tuple(
        paths.filter((path) => path !== 'a.0'),
        direction,
      )
      .map(([path, way]) => ({ [path]: way })),
    fc.tuple(direction, direction).map(([one, two]) => ({ a: one, b: two })),
  );

  it('for an index on an array position, with missing values and fields of the same name', async () => {
    const collection = await server.fresh();
    await collection.createIndex({ 'a.0': 1 });
    await collection.insertMany([{ a: [{ x: 1 }] }, { a: 0 }, { a: [{ 0: 5 }, { x: 1 }] }]);
    for (const filter of [
      { 'a.0': null },
      { 'a.0': { $in: [null, 5] } },
      { 'a.0': { 0: 5 } },
      { 'a.0': { $gt: { 0: 4 } } },
    ]) {
      const planned = await ids(collection.find(filter).sort({ _id: 1 }));
      expect(planned).toEqual(await ids(collection.find(filter).hint({ $natural: 1 }).sort({ _id: 1 })));
    }
  });

  it('for random documents, indexes, filters and sorts', async () => {
    const runs = process.env.PROOF === '1' ? 400 : 15;
    await fc.assert(
      fc.asyncProperty(
        documents,
        indexes,
        fc.array(fc.tuple(filters, sorts), { minLength: 15, maxLength: 15 }),
        async (all, specs, queries) => {
          const collection = await server.fresh();
          for (const [keys, one, two, options] of specs) {
            await collection.createIndex(
              Object.fromEntries(keys.map((key, place) => [key, (place === 0 ? one : two) as 1 | -1])),
              options,
            );
          }
          // Documents that two parallel arrays keep out of an index are left out of both sides.
          await collection.insertMany(all as never[], { ordered: false, ignoreUndefined: true }).catch(() => undefined);
          for (const [filter, sort] of queries) {
            // The _id at the end makes the order of equal documents plain.
            const order = { ...sort, _id: 1 } as never;
            const planned = await ids(collection.find(filter as never).sort(order));
            const scanned = await ids(
              collection
                .find(filter as never)
                .hint({ $natural: 1 })
                .sort(order),
            );
            expect(planned).toEqual(scanned);
            const byIndex = await collection
              .find(filter as never)
              .sort(sort as never)
              .toArray();
            expect(new Set(byIndex.map(({ _id }) => String(_id)))).toEqual(new Set(scanned.map(String)));
          }
          await collection.drop();
        },
      ),
      { numRuns: runs },
    );
  });
});
