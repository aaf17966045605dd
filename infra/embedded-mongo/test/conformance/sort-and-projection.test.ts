import { describe, expect, it } from 'vitest';
import { BSON, codeOf, ids, useServer } from '../harness.js';

/* Sources of the expected answers: query.test.ts. */
const { Binary, Double, ObjectId, Timestamp, MinKey, MaxKey } = BSON;
const server = useServer();

describe('sort', () => {
  it('orders types as the manual does in both directions, missing as null, empty arrays below null', async () => {
    const collection = await server.fresh([
      { _id: 'max', a: new MaxKey() },
      { _id: 'date', a: new Date(0) },
      { _id: 'bool', a: false },
      { _id: 'oid', a: new ObjectId() },
      { _id: 'bin', a: new Binary(Buffer.from('a'), 0) },
      { _id: 'doc', a: { b: 1 } },
      { _id: 'str', a: 'a' },
      { _id: 'num', a: 5 },
      { _id: 'missing' },
      { _id: 'empty', a: [] },
      { _id: 'min', a: new MinKey() },
      { _id: 'ts', a: new Timestamp({ t: 1, i: 1 }) },
      { _id: 'regex', a: /a/ },
    ]);
    const expected = [
      'min',
      'empty',
      'missing',
      'num',
      'str',
      'doc',
      'bin',
      'oid',
      'bool',
      'date',
      'ts',
      'regex',
      'max',
    ];
    expect(await ids(collection.find().sort({ a: 1 }))).toEqual(expected);
    expect(await ids(collection.find().sort({ a: -1 }))).toEqual([...expected].reverse());
    await collection.createIndex({ a: 1 });
    expect(await ids(collection.find().sort({ a: 1 }))).toEqual(expected);
    expect(await ids(collection.find().sort({ a: -1 }))).toEqual([...expected].reverse());
  });

  it('uses the smallest item of an array ascending, and the greatest descending', async () => {
    const collection = await server.fresh([
      { _id: 1, a: [1, 10] },
      { _id: 2, a: 5 },
      { _id: 3, a: [4, 6] },
    ]);
    expect(await ids(collection.find().sort({ a: 1 }))).toEqual([1, 3, 2]);
    expect(await ids(collection.find().sort({ a: -1 }))).toEqual([1, 3, 2]);
    expect(await ids(collection.find({ a: { $gt: 4 } }).sort({ a: 1 }))).toEqual([1, 3, 2]);
  });

  it('handles several fields, skip and limit', async () => {
    const collection = await server.fresh([1, 2, 3, 4, 5, 6].map((n) => ({ _id: n, a: n % 2, b: n })));
    expect(await ids(collection.find().sort({ a: 1, b: -1 }))).toEqual([6, 4, 2, 5, 3, 1]);
    expect(await ids(collection.find().sort({ a: 1, b: -1 }).skip(1).limit(3))).toEqual([4, 2, 5]);
    expect(await ids(collection.find().sort({ _id: -1 }).limit(2))).toEqual([6, 5]);
  });
});

describe('projection', () => {
  it.each<[string, object, object]>([
    ['inclusion keeps _id', { a: 1 }, { _id: 1, a: { b: 1, c: [{ d: 1, e: 2 }, 3] } }],
    ['inclusion without _id', { x: 1, _id: 0 }, { x: 9 }],
    ['exclusion', { a: 0 }, { _id: 1, x: 9 }],
    ['a path into a document', { 'a.b': 1 }, { _id: 1, a: { b: 1 } }],
    ['a path into an array leaves scalars out', { 'a.c.d': 1 }, { _id: 1, a: { c: [{ d: 1 }] } }],
    ['exclusion of a path keeps scalars', { 'a.c.d': 0, x: 0 }, { _id: 1, a: { b: 1, c: [{ e: 2 }, 3] } }],
    ['a nested document is a path', { a: { b: 1 } }, { _id: 1, a: { b: 1 } }],
    ['_id alone', { _id: 1 }, { _id: 1 }],
    ['without _id alone', { _id: 0 }, { x: 9, a: { b: 1, c: [{ d: 1, e: 2 }, 3] } }],
  ])('%s', async (_says, projection, expected) => {
    const collection = await server.fresh([{ _id: 1, x: 9, a: { b: 1, c: [{ d: 1, e: 2 }, 3] } }]);
    expect(await collection.findOne({}, { projection })).toEqual(expected);
  });

  it('rejects a mixture of inclusion and exclusion', async () => {
    const collection = await server.fresh([{ _id: 1 }]);
    expect(await codeOf(collection.findOne({}, { projection: { a: 1, b: 0 } }))).toBe(31254);
    expect(await codeOf(collection.findOne({}, { projection: { a: 0, b: 1 } }))).toBe(31253);
  });
});

describe('an invalid filter', () => {
  it.each<[string, object, number]>([
    ['an unknown operator', { a: { $foo: 1 } }, 2],
    ['an unknown top-level operator', { $foo: 1 }, 2],
    ['$in without an array', { a: { $in: 1 } }, 2],
    ['an operator inside $in', { a: { $in: [{ $gt: 1 }] } }, 2],
    ['an empty $or', { $or: [] }, 2],
    ['$and of no documents', { $and: [1] }, 2],
    ['$not of a value', { a: { $not: 5 } }, 2],
    ['$mod by zero', { a: { $mod: [0, 1] } }, 2],
    ['$mod of one number', { a: { $mod: [2] } }, 2],
    ['$size of a string', { a: { $size: 'x' } }, 9],
    ['$size below zero', { a: { $size: -1 } }, 9],
    ['an unknown type name', { a: { $type: 'nonsense' } }, 2],
    ['$options without $regex', { a: { $options: 'i' } }, 2],
    ['a broken pattern', { a: { $regex: '(' } }, 51091],
    ['$elemMatch of a value', { a: { $elemMatch: 1 } }, 2],
    ['$all of a value', { a: { $all: 1 } }, 2],
    ['an unknown expression', { $expr: { $foo: 1 } }, 168],
  ])('with %s is rejected', async (_says, filter, code) => {
    const collection = await server.fresh([{ _id: 1, a: 1 }]);
    expect(await codeOf(collection.find(filter).toArray())).toBe(code);
  });
});

describe('distinct and count', () => {
  it('count array items as values, and equal numbers of different types once', async () => {
    const collection = await server.fresh([
      { a: [3, 1] },
      { a: 1 },
      { a: new Double(3) },
      { a: 'x' },
      { b: 1 },
      { a: null },
    ]);
    expect(await collection.distinct('a')).toEqual([null, 1, 3, 'x']);
    expect(await collection.countDocuments({ a: 1 })).toBe(2);
    expect(await collection.estimatedDocumentCount()).toBe(6);
    expect(await collection.countDocuments({}, { skip: 1, limit: 3 })).toBe(3);
  });
});
