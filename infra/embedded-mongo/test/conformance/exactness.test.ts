import { describe, expect, it } from 'vitest';
import { BSON, codeOf, useServer } from '../harness.js';

/* Small differences from MongoDB that answered with something else than MongoDB does, instead of an error. */
const server = useServer();

async function one(pipeline: object[], document: object = {}): Promise<Record<string, unknown> | undefined> {
  const collection = await server.fresh([{ _id: 1, ...document } as never]);
  const [found] = await collection.aggregate(pipeline).toArray();
  return found;
}

const evaluate = async (expression: unknown): Promise<unknown> =>
  (await one([{ $project: { _id: 0, v: expression } }]))?.v;
const failing = (expression: unknown): Promise<number | string> => codeOf(evaluate(expression));

describe('names and nesting', () => {
  it('of fields and indexes reject a null byte', async () => {
    const collection = await server.fresh([{ _id: 1, a: 1 } as never]);
    expect(await codeOf(collection.updateOne({}, { $rename: { a: 'x\0' } }))).toBe(2);
    expect(await collection.find().toArray()).toEqual([{ _id: 1, a: 1 }]);
    expect(await codeOf(collection.aggregate([{ $count: 'a\0b' }]).toArray())).toBe(40159);
    expect(await codeOf(collection.createIndex({ a: 1 }, { name: 'a\0' }))).toBe(67);
    expect((await collection.deleteOne({ _id: 1 as never })).deletedCount).toBe(1);
  });

  it('in an _id reject operators', async () => {
    const collection = await server.fresh();
    expect(await codeOf(collection.insertOne({ _id: { $a: 1 } as never }))).toBe(52);
    const upsert = collection.updateOne({ x: 1 }, { $setOnInsert: { _id: { $a: 1 } } } as never, { upsert: true });
    expect(await codeOf(upsert)).not.toBe('no error');
    expect(await collection.countDocuments()).toBe(0);
  });

  it('allow 180 nested levels, and reject 181', async () => {
    const nested = (levels: number): object => (levels === 0 ? { end: 1 } : { a: nested(levels - 1) });
    const collection = await server.fresh();
    expect(await codeOf(collection.insertOne(nested(180)))).toBe('no error');
    expect(await codeOf(collection.insertOne(nested(181)))).toBe(15);
  });
});

describe('an upsert with values from the filter', () => {
  it('takes them also from a list of one value', async () => {
    const collection = await server.fresh();
    await collection.updateOne({ _id: { $in: [1] } as never, x: { $in: ['a'] } }, { $set: { a: 1 } }, { upsert: true });
    expect(await collection.find().toArray()).toEqual([{ _id: 1, x: 'a', a: 1 }]);
    await collection.updateOne({ x: { $in: ['b', 'c'] } }, { $set: { a: 2 } }, { upsert: true });
    expect(await collection.findOne({ a: 2 })).not.toHaveProperty('x');
  });

  it.each<[string, object]>([
    ['a field and one in it', { x: {}, 'x.x': 1 }],
    ['the same the other way about', { 'x.x': 1, x: { x: 1 } }],
  ])('rejects %s', async (_says, filter) => {
    const collection = await server.fresh();
    expect(await codeOf(collection.updateOne(filter, { $set: { a: 1 } }, { upsert: true }))).toBe(54);
    expect(await collection.countDocuments()).toBe(0);
  });

  it('rejects a replacement filtered by a part of the _id', async () => {
    const collection = await server.fresh();
    expect(await codeOf(collection.replaceOne({ '_id.x': 1 }, { a: 1 }, { upsert: true }))).toBe(111);
    expect(await collection.countDocuments()).toBe(0);
  });
});

describe('cursors and counts', () => {
  it.each(['collection', 'index'])('end with an error when their %s is dropped, not as if fully read', async (what) => {
    const collection = await server.fresh(Array.from({ length: 500 }, (_, a) => ({ a })));
    await collection.createIndex({ a: 1 });
    const cursor = collection.find({ a: { $gte: 0 } }).batchSize(5);
    await cursor.next();
    if (what === 'collection') await collection.drop();
    else await collection.dropIndex('a_1');
    expect(await codeOf(cursor.toArray())).toBe(175);
  });

  it('treat a negative limit of a count as positive', async () => {
    const collection = await server.fresh(Array.from({ length: 5 }, (_, a) => ({ a })));
    const count = (limit: number) => server.db.command({ count: collection.collectionName, query: {}, limit });
    expect((await count(-3)).n).toBe(3);
    expect((await count(-9)).n).toBe(5);
  });
});

describe('$pull', () => {
  it('accepts $or, $and and $nor over sub-documents', async () => {
    const collection = await server.fresh([{ _id: 1, a: [{ x: 1 }, { x: 2 }, { x: 3 }, 'x'] } as never]);
    await collection.updateOne({}, { $pull: { a: { $or: [{ x: 1 }, { x: 2 }] } } } as never);
    expect(await collection.findOne()).toEqual({ _id: 1, a: [{ x: 3 }, 'x'] });
    await collection.updateOne({}, { $pull: { a: { $and: [{ x: { $gt: 2 } }, { x: { $lt: 4 } }] } } } as never);
    expect(await collection.findOne()).toEqual({ _id: 1, a: ['x'] });
    await collection.updateOne({}, { $set: { a: [{ x: 1 }, { x: 2 }] } } as never);
    await collection.updateOne({}, { $pull: { a: { $nor: [{ x: 1 }] } } } as never);
    expect(await collection.findOne()).toEqual({ _id: 1, a: [{ x: 1 }] });
  });
});

describe('$project and $addFields', () => {
  const document = { a: { b: 7, c: 2 }, d: 1 };
  it.each<[object, object]>([
    [{ a: { b: 1 } }, { _id: 1, a: { b: 7 } }],
    [{ a: { b: 0 } }, { _id: 1, a: { c: 2 }, d: 1 }],
    [{ _id: 0, a: { b: true, e: '$a.c' } }, { a: { b: 7, e: 2 } }],
  ])('%j treats nested documents as paths', async (spec, expected) => {
    expect(await one([{ $project: spec }], document)).toEqual(expected);
  });

  it('apply a nested path to the items of arrays', async () => {
    const items = { a: [{ b: 1, c: 2 }, { b: 3 }, 4] };
    expect(await one([{ $project: { a: { b: 1 } } }], items)).toEqual({ _id: 1, a: [{ b: 1 }, { b: 3 }] });
  });

  it('reject an empty specification', async () => {
    expect(await codeOf(one([{ $project: { a: {} } }], document))).toBe(51270);
    expect(await codeOf(one([{ $addFields: {} }], document))).toBe(40177);
  });
});

describe('conversions', () => {
  it.each(['5', '1', 'hello 2020', '2020', '2020-13-01', '1/2/2020'])('$toDate rejects %j', async (text) => {
    expect(await failing({ $toDate: text })).toBe(241);
  });

  it.each([
    ['2020-02-03', '2020-02-03T00:00:00.000Z'],
    ['2020-02-03T04:05', '2020-02-03T04:05:00.000Z'],
    ['2020-02-03 04:05:06', '2020-02-03T04:05:06.000Z'],
    ['2020-02-03T04:05:06.789Z', '2020-02-03T04:05:06.789Z'],
    ['2020-02-03T04:05:06+02:00', '2020-02-03T02:05:06.000Z'],
  ])('$toDate parses %j', async (text, expected) => {
    expect(await evaluate({ $toDate: text })).toEqual(new Date(expected));
  });

  it('$toDouble parses numbers and rejects anything around them', async () => {
    for (const text of [' 1', '1 ', '', '0x10', 'one']) expect(await failing({ $toDouble: text })).toBe(241);
    expect(await evaluate({ $toDouble: '-1.5e3' })).toBe(-1500);
    expect(await evaluate({ $toDouble: 'NaN' })).toBeNaN();
  });

  it.each<[number, string]>([
    [1e-7, '1e-07'],
    [1.5e-5, '1.5e-05'],
    [0.0001, '0.0001'],
    [1.5, '1.5'],
    [1e16, '1e+16'],
  ])('$toString formats %d as MongoDB does', async (value, text) => {
    expect(await evaluate({ $toString: new BSON.Double(value) })).toBe(text);
  });

  it('$toString keeps the sign of zero; $abs of the smallest int64 is an error', async () => {
    expect(await evaluate({ $toString: new BSON.Double(-0) })).toBe('-0');
    expect(await failing({ $abs: BSON.Long.MIN_VALUE })).toBe(28680);
  });

  it('$let rejects a variable name with a capital', async () => {
    expect(await failing({ $let: { vars: { X: 1 }, in: 1 } })).toBe(16867);
  });
});

describe('the result of an aggregation', () => {
  it('has no document over the size limit', async () => {
    const collection = await server.fresh(Array.from({ length: 3 }, () => ({ text: 'x'.repeat(6 * 1024 * 1024) })));
    const grouped = collection.aggregate([{ $group: { _id: 1, all: { $push: '$text' } } }]);
    expect(await codeOf(grouped.toArray())).toBe(10334);
    expect(await collection.countDocuments()).toBe(3);
  });
});

describe('indexes', () => {
  it('reject negations and missing fields in a partial filter, and accept ranges, equality and conjunctions', async () => {
    const collection = await server.fresh();
    const partial = (filter: object) => codeOf(collection.createIndex({ a: 1 }, { partialFilterExpression: filter }));
    for (const filter of [
      { a: { $ne: 1 } },
      { a: { $not: { $gt: 1 } } },
      { a: { $exists: false } },
      { a: /x/, $nor: [{}] },
    ])
      expect(await partial(filter)).toBe(67);
    expect(await partial({ $and: [{ a: { $gt: 1 } }, { b: { $exists: true } }], c: 3 })).toBe('no error');
  });

  it('reject options for _id, a 65th index, and a second index of the same name', async () => {
    const collection = await server.fresh();
    expect(await codeOf(collection.createIndex({ _id: 1 }, { unique: true }))).toBe(197);
    const keys = Array.from({ length: 63 }, (_, n) => ({ key: { [`f${n}`]: 1 as const } }));
    await collection.createIndexes(keys);
    expect(await codeOf(collection.createIndex({ more: 1 }))).toBe(67);
    expect(await codeOf(collection.createIndex({ f1: 1 }, { unique: true }))).toBe(86);
    expect(await codeOf(collection.createIndex({ f1: 1 }, { expireAfterSeconds: 5 }))).toBe(85);
  });
});
