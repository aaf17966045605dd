import { describe, expect, it } from 'vitest';
import { BSON, ids, useServer } from '../harness.js';

/*
 * Expected answers are from MongoDB's manual (Query and Projection Operators, Comparison/Sort Order, Query for Null or Missing
 * Fields, Query an Array). Rows marked "unconfirmed" follow the server's source where the manual is silent; no real server was
 * at hand when they were written. With MONGODB_URI this file checks all of them on one.
 */
const { Binary, Decimal128, Double, Int32, Long, ObjectId, Timestamp, MinKey, MaxKey, BSONRegExp } = BSON;
const server = useServer();

type Row = [what: string, filter: object, expected: unknown[]];

/** Runs a table on one set of documents; each row finds the ids given, in insertion order. */
function table(name: string, documents: object[], rows: Row[]): void {
  describe(name, () => {
    let made: ReturnType<typeof server.fresh> | undefined;
    it.each(rows)('%s', async (_says, filter, expected) => {
      made ??= server.fresh(documents);
      const collection = await made;
      expect(await ids(collection.find(filter))).toEqual(expected);
    });
  });
}

table(
  'null, missing and empty',
  [
    { _id: 'null', a: null },
    { _id: 'missing' },
    { _id: 'zero', a: 0 },
    { _id: 'empty array', a: [] },
    { _id: 'array with null', a: [null] },
    { _id: 'array', a: [1] },
    { _id: 'object', a: {} },
    { _id: 'false', a: false },
    { _id: 'empty string', a: '' },
  ],
  [
    ['null matches null, missing, and arrays that hold null', { a: null }, ['null', 'missing', 'array with null']],
    ['$eq null is the same', { a: { $eq: null } }, ['null', 'missing', 'array with null']],
    [
      '$ne null is its complement',
      { a: { $ne: null } },
      ['zero', 'empty array', 'array', 'object', 'false', 'empty string'],
    ],
    ['$in with null matches missing too', { a: { $in: [null, 0] } }, ['null', 'missing', 'zero', 'array with null']],
    [
      '$nin with null leaves missing out',
      { a: { $nin: [null, 0] } },
      ['empty array', 'array', 'object', 'false', 'empty string'],
    ],
    [
      '$exists true takes null',
      { a: { $exists: true } },
      ['null', 'zero', 'empty array', 'array with null', 'array', 'object', 'false', 'empty string'],
    ],
    ['$exists false takes missing alone', { a: { $exists: false } }, ['missing']],
    ['$type null takes null alone', { a: { $type: 'null' } }, ['null', 'array with null']],
    ['$gte null is null or missing (unconfirmed)', { a: { $gte: null } }, ['null', 'missing', 'array with null']],
    ['$gt null is nothing (unconfirmed)', { a: { $gt: null } }, []],
    ['$size 0', { a: { $size: 0 } }, ['empty array']],
    ['an empty array equals itself', { a: [] }, ['empty array']],
    ['an empty document equals itself', { a: {} }, ['object']],
    [
      '$not $gt takes missing',
      { a: { $not: { $gt: 0 } } },
      ['null', 'missing', 'zero', 'empty array', 'array with null', 'object', 'false', 'empty string'],
    ],
  ],
);

table(
  'number types',
  [
    { _id: 'int', a: new Int32(5) },
    { _id: 'long', a: Long.fromNumber(5) },
    { _id: 'double', a: new Double(5) },
    { _id: 'decimal', a: Decimal128.fromString('5.00') },
    { _id: '2^53', a: Long.fromString('9007199254740992') },
    { _id: '2^53+1', a: Long.fromString('9007199254740993') },
    { _id: '2^53 double', a: new Double(2 ** 53) },
    { _id: 'nan', a: new Double(Number.NaN) },
    { _id: '-0', a: new Double(-0) },
    { _id: '0.1', a: new Double(0.1) },
    { _id: '0.1 decimal', a: Decimal128.fromString('0.1') },
    { _id: 'inf', a: new Double(Number.POSITIVE_INFINITY) },
    { _id: 'string', a: '5' },
    { _id: 'true', a: true },
  ],
  [
    ['numbers of all types are equal by value', { a: 5 }, ['int', 'long', 'double', 'decimal']],
    ['int64 beyond 2^53 is exact', { a: Long.fromString('9007199254740993') }, ['2^53+1']],
    ['2^53 is equal to its double', { a: Long.fromString('9007199254740992') }, ['2^53', '2^53 double']],
    ['$gt is exact beyond 2^53', { a: { $gt: new Double(2 ** 53) } }, ['2^53+1', 'inf']],
    ['NaN equals NaN', { a: new Double(Number.NaN) }, ['nan']],
    ['NaN is in no range', { a: { $lt: 1 } }, ['-0', '0.1', '0.1 decimal']],
    ['$gte NaN is NaN (unconfirmed)', { a: { $gte: new Double(Number.NaN) } }, ['nan']],
    ['$lt NaN is nothing (unconfirmed)', { a: { $lt: new Double(Number.NaN) } }, []],
    ['-0 equals 0', { a: 0 }, ['-0']],
    ['0.1 as double is above 0.1 as Decimal128', { a: { $gt: Decimal128.fromString('0.1'), $lt: 1 } }, ['0.1']],
    ['0.1 as Decimal128 equals itself alone', { a: Decimal128.fromString('0.1') }, ['0.1 decimal']],
    [
      '$mod takes whole parts',
      { a: { $mod: [5, 0] } },
      ['int', 'long', 'double', 'decimal', '-0', '0.1', '0.1 decimal'],
    ],
    ['$type number takes all four', { a: { $type: 'number', $gt: 4, $lt: 6 } }, ['int', 'long', 'double', 'decimal']],
    ['$type int takes int32 alone', { a: { $type: 'int' } }, ['int']],
    ['$type by code', { a: { $type: 18 } }, ['long', '2^53', '2^53+1']],
    ['$type takes several', { a: { $type: ['string', 'bool'] } }, ['string', 'true']],
    ['a string is no number', { a: '5' }, ['string']],
  ],
);

table(
  'arrays',
  [
    { _id: 1, a: [1, 5, 9] },
    { _id: 2, a: [3] },
    { _id: 3, a: 3 },
    { _id: 4, a: [[3], 1] },
    { _id: 5, a: ['x', 3] },
    { _id: 6, a: [] },
    { _id: 7, a: [0, 10] },
  ],
  [
    ['a scalar matches an item', { a: 3 }, [2, 3, 5]],
    ['an array matches the whole or an item', { a: [3] }, [2, 4]],
    ['two bounds may be met by two items', { a: { $gt: 4, $lt: 6 } }, [1, 7]],
    ['$elemMatch wants one item within both', { a: { $elemMatch: { $gt: 4, $lt: 6 } } }, [1]],
    ['$elemMatch does not enter scalars', { a: { $elemMatch: { $eq: 3 } } }, [2, 5]],
    ['a place in the array', { 'a.0': 3 }, [2]],
    ['a place that is not there is missing', { 'a.1': { $exists: false } }, [2, 3, 6]],
    ['$size', { a: { $size: 2 } }, [4, 5, 7]],
    ['$all wants every value', { a: { $all: [1, 9] } }, [1]],
    ['$all of one value takes a scalar', { a: { $all: [3] } }, [2, 3, 5]],
    ['$all of an array takes the whole (unconfirmed)', { a: { $all: [[3]] } }, [2, 4]],
    ['$all of nothing is nothing', { a: { $all: [] } }, []],
    ['$in takes items', { a: { $in: [9, 'x'] } }, [1, 5]],
    ['$nin takes arrays without any of them', { a: { $nin: [1, 3] } }, [6, 7]],
    ['$ne takes arrays without it', { a: { $ne: 3 } }, [1, 4, 6, 7]],
    ['$not of a range takes arrays with no item in it', { a: { $not: { $gt: 4 } } }, [2, 3, 4, 5, 6]],
    ['$type array', { a: { $type: 'array' } }, [1, 2, 4, 5, 6, 7]],
    ['$type looks at items', { a: { $type: 'string' } }, [5]],
    ['$all with $elemMatch', { a: { $all: [{ $elemMatch: { $gt: 8 } }, { $elemMatch: { $lt: 1 } }] } }, [7]],
  ],
);

table(
  'sub-documents and dotted paths',
  [
    { _id: 1, a: { b: 1, c: 2 } },
    { _id: 2, a: { c: 2, b: 1 } },
    { _id: 3, a: [{ b: 1 }, { b: 5, c: 9 }] },
    { _id: 4, a: [{ b: [1, 2] }] },
    { _id: 5, a: [1, 2] },
    { _id: 6, a: [] },
    { _id: 7 },
    { _id: 8, a: { b: null } },
    { _id: 9, a: [{ c: 1 }] },
    { _id: 10, a: { b: { 0: 'x' } } },
  ],
  [
    ['a document is equal in its field order alone', { a: { b: 1, c: 2 } }, [1]],
    ['a path goes through arrays of documents', { 'a.b': 1 }, [1, 2, 3, 4]],
    ['fields of two items may meet two conditions', { 'a.b': 1, 'a.c': 9 }, [3]],
    ['$elemMatch wants them in one', { a: { $elemMatch: { b: 5, c: 9 } } }, [3]],
    ['$elemMatch across items finds nothing', { a: { $elemMatch: { b: 1, c: 9 } } }, []],
    ['null at a path: missing in a document, not in an array of scalars', { 'a.b': null }, [7, 8, 9]],
    ['a path with a place', { 'a.0.b': 1 }, [3, 4]],
    ['a number may be a field name', { 'a.b.0': 'x' }, [10]],
    ['$exists at a path', { 'a.c': { $exists: true } }, [1, 2, 3, 9]],
    ['$size at a path', { 'a.b': { $size: 2 } }, [4]],
  ],
);

table(
  'types side by side',
  [
    { _id: 'bin0', a: new Binary(Buffer.from('ab'), 0) },
    { _id: 'bin4', a: new Binary(Buffer.from('ab'), 128) },
    { _id: 'bin long', a: new Binary(Buffer.from('abc'), 0) },
    { _id: 'date', a: new Date(1000) },
    { _id: 'timestamp', a: new Timestamp({ t: 1, i: 0 }) },
    { _id: 'oid', a: new ObjectId('000000010000000000000000') },
    { _id: 'string', a: 'B' },
    { _id: 'lower', a: 'a' },
    { _id: 'true', a: true },
    { _id: 'min', a: new MinKey() },
    { _id: 'max', a: new MaxKey() },
    { _id: 'regex', a: new BSONRegExp('^a', '') },
  ],
  [
    ['binary by subtype and content', { a: new Binary(Buffer.from('ab'), 0) }, ['bin0']],
    [
      'binary orders by length, then subtype, then bytes',
      { a: { $gt: new Binary(Buffer.from('ab'), 0) } },
      ['bin4', 'bin long'],
    ],
    ['a range stays in its type', { a: { $gte: new Date(0) } }, ['date']],
    ['strings order by byte', { a: { $lt: 'a' } }, ['string']],
    ['a regular expression matches strings and itself', { a: /^a/ }, ['lower', 'regex']],
    ['$regex with options', { a: { $regex: '^b', $options: 'i' } }, ['string']],
    ['a regular expression in $in', { a: { $in: [/^b/i, true] } }, ['string', 'true']],
    ['$not of a regular expression', { a: { $not: /./, $type: 'string' } }, []],
    [
      '$gt MinKey is everything else (unconfirmed)',
      { a: { $gt: new MinKey() } },
      ['bin0', 'bin4', 'bin long', 'date', 'timestamp', 'oid', 'string', 'lower', 'true', 'max', 'regex'],
    ],
    [
      '$and, $or and $nor',
      { $or: [{ a: true }, { $and: [{ a: 'a' }, { a: { $ne: 'b' } }] }], $nor: [{ a: false }] },
      ['lower', 'true'],
    ],
    ['$expr', { $expr: { $eq: ['$a', 'B'] } }, ['string']],
  ],
);
