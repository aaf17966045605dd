import { describe, expect, it } from 'vitest';
import { BSON, codeOf, useServer } from '../harness.js';
import { applyOn } from './apply-update.js';

/* Sources of the expected answers: update.test.ts. */
const server = useServer();
const apply = applyOn(server);

describe('positions in arrays', () => {
  it.each<[string, object, object, object, object, unknown]>([
    ['$ is the item that matched', { a: [1, 5, 9] }, { a: 5 }, { $set: { 'a.$': 0 } }, {}, { a: [1, 0, 9] }],
    ['$ by a condition', { a: [1, 5, 9] }, { a: { $gt: 4 } }, { $inc: { 'a.$': 1 } }, {}, { a: [1, 6, 9] }],
    [
      '$ into a document',
      {
        a: [
          { k: 'x', n: 1 },
          { k: 'y', n: 1 },
        ],
      },
      { 'a.k': 'y' },
      { $inc: { 'a.$.n': 5 } },
      {},
      {
        a: [
          { k: 'x', n: 1 },
          { k: 'y', n: 6 },
        ],
      },
    ],
    [
      '$ by $elemMatch',
      {
        a: [
          { k: 'x', n: 1 },
          { k: 'x', n: 2 },
        ],
      },
      { a: { $elemMatch: { k: 'x', n: 2 } } },
      { $set: { 'a.$.n': 9 } },
      {},
      {
        a: [
          { k: 'x', n: 1 },
          { k: 'x', n: 9 },
        ],
      },
    ],
    ['$ without a match in the array', { a: [1], b: 1 }, { b: 1 }, { $set: { 'a.$': 0 } }, {}, 2],
    ['$[] is every item', { a: [1, 2] }, {}, { $mul: { 'a.$[]': 10 } }, {}, { a: [10, 20] }],
    [
      '$[] into documents',
      { a: [{ n: 1 }, { n: 2 }] },
      {},
      { $inc: { 'a.$[].n': 1 } },
      {},
      { a: [{ n: 2 }, { n: 3 }] },
    ],
    ['$[] of no array', { a: 1 }, {}, { $set: { 'a.$[]': 1 } }, {}, 2],
    [
      '$[x] with its filter',
      { a: [1, 5, 9] },
      {},
      { $set: { 'a.$[x]': 0 } },
      { arrayFilters: [{ x: { $gte: 5 } }] },
      { a: [1, 0, 0] },
    ],
    [
      '$[x] by a field',
      {
        a: [
          { k: 'x', n: 1 },
          { k: 'y', n: 1 },
        ],
      },
      {},
      { $inc: { 'a.$[e].n': 1 } },
      { arrayFilters: [{ 'e.k': 'y' }] },
      {
        a: [
          { k: 'x', n: 1 },
          { k: 'y', n: 2 },
        ],
      },
    ],
    [
      '$[x] within $[]',
      { a: [{ b: [1, 2] }, { b: [3] }] },
      {},
      { $inc: { 'a.$[].b.$[x]': 10 } },
      { arrayFilters: [{ x: { $gt: 1 } }] },
      { a: [{ b: [1, 12] }, { b: [13] }] },
    ],
    ['$[x] without a filter', { a: [1] }, {}, { $set: { 'a.$[x]': 0 } }, {}, 2],
    ['a filter that is not used', { a: [1] }, {}, { $set: { a: 0 } }, { arrayFilters: [{ x: 1 }] }, 9],
    ['two filters of one name', { a: [1] }, {}, { $set: { 'a.$[x]': 0 } }, { arrayFilters: [{ x: 1 }, { x: 2 }] }, 9],
    ['a filter on two names', { a: [1] }, {}, { $set: { 'a.$[x]': 0 } }, { arrayFilters: [{ x: 1, y: 2 }] }, 9],
  ])('%s', async (_says, before, filter, update, options, expected) => {
    expect(await apply(before, update, options, filter)).toEqual(expected);
  });
});

describe('upsert', () => {
  it.each<[string, object, object, object]>([
    [
      "takes the filter's equalities",
      { a: 1, 'b.c': 2, d: { $gt: 5 } },
      { $set: { e: 3 } },
      { a: 1, b: { c: 2 }, e: 3 },
    ],
    ['takes $eq and $and', { $and: [{ a: { $eq: 1 } }, { b: 2 }] }, { $inc: { n: 1 } }, { a: 1, b: 2, n: 1 }],
    ['applies $setOnInsert', { a: 1 }, { $set: { b: 1 }, $setOnInsert: { c: 1 } }, { a: 1, b: 1, c: 1 }],
    ['lets the update change a seeded field', { a: 1 }, { $inc: { a: 5 } }, { a: 6 }],
    ['pushes to a new array', { k: 1 }, { $push: { a: 1 } }, { k: 1, a: [1] }],
  ])('%s', async (_says, filter, update, expected) => {
    const collection = await server.fresh();
    const result = await collection.updateOne(filter, update as never, { upsert: true });
    expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1 });
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual(expected);
  });

  it('takes the _id from filter or replacement, or else creates one, and puts it first', async () => {
    const collection = await server.fresh();
    await collection.updateOne({ x: 1, _id: 'f' as never }, { $set: { y: 1 } }, { upsert: true });
    await collection.replaceOne({ x: 2 }, { _id: 'r' as never, z: 1 }, { upsert: true });
    await collection.replaceOne({ x: 3 }, { z: 3 }, { upsert: true });
    const all = await collection.find().toArray();
    expect(all.slice(0, 2)).toEqual([
      { _id: 'f', x: 1, y: 1 },
      { _id: 'r', z: 1 },
    ]);
    expect(all[2]?._id).toBeInstanceOf(BSON.ObjectId);
    expect(all.map((one) => Object.keys(one)[0])).toEqual(['_id', '_id', '_id']);
  });

  it('rejects a path set by two equalities', async () => {
    const collection = await server.fresh();
    expect(
      await codeOf(collection.updateOne({ $and: [{ a: 1 }, { a: 2 }] }, { $set: { b: 1 } }, { upsert: true })),
    ).toBe(54);
  });
});

describe('findOneAndUpdate', () => {
  it('returns the document before or after, by sort and projection, or null', async () => {
    const collection = await server.fresh([
      { _id: 1, n: 1, x: 1 },
      { _id: 2, n: 2, x: 1 },
    ]);
    expect(await collection.findOneAndUpdate({ x: 1 }, { $inc: { n: 10 } }, { sort: { n: -1 } })).toEqual({
      _id: 2,
      n: 2,
      x: 1,
    });
    expect(
      await collection.findOneAndUpdate(
        { x: 1 },
        { $inc: { n: 10 } },
        { sort: { n: 1 }, returnDocument: 'after', projection: { n: 1 } },
      ),
    ).toEqual({ _id: 1, n: 11 });
    expect(await collection.findOneAndUpdate({ x: 9 }, { $inc: { n: 1 } })).toBeNull();
    expect(await collection.findOneAndUpdate({ x: 9 }, { $inc: { n: 1 } }, { upsert: true })).toBeNull();
    expect(await collection.findOneAndDelete({ n: 11 })).toMatchObject({ _id: 1 });
    expect(await collection.findOneAndReplace({ _id: 2 as never }, { y: 1 }, { returnDocument: 'after' })).toEqual({
      _id: 2,
      y: 1,
    });
    expect(await collection.countDocuments()).toBe(2);
  });
});
