import { describe, expect, it } from 'vitest';
import { BSON, codeOf, useServer } from '../harness.js';
import { applyOn } from './apply-update.js';

/*
 * Expected answers are from MongoDB's manual (Update Operators) and, for error codes, from the server's own sources. Rows
 * marked "unconfirmed" are where neither was plain; no real server was at hand. With MONGODB_URI this file checks all on one.
 */
const { Double, Int32, Long, Decimal128, Timestamp } = BSON;
const server = useServer();
const apply = applyOn(server);
const raw = { promoteValues: false } as const;

describe('the update operator', () => {
  it.each<[string, object, object, unknown]>([
    ['$set makes and replaces', { a: 1 }, { $set: { a: 2, b: 3 } }, { a: 2, b: 3 }],
    ['$set makes the documents on its way', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
    ['$set of a place in an array', { a: [1, 2] }, { $set: { 'a.1': 9 } }, { a: [1, 9] }],
    ['$set beyond an array pads with null', { a: [1] }, { $set: { 'a.3': 9 } }, { a: [1, null, null, 9] }],
    ['$set of a numeric path makes a document', {}, { $set: { 'a.0': 9 } }, { a: { 0: 9 } }],
    ['$set through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
    ['$set of a name in an array', { a: [1] }, { $set: { 'a.b': 1 } }, 28],
    ['$set through null', { a: null }, { $set: { 'a.b': 1 } }, 28],
    ['$unset', { a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
    ['$unset of what is not there', { b: 2 }, { $unset: { 'a.x': '' } }, { b: 2 }],
    ['$unset in an array leaves null', { a: [1, 2, 3] }, { $unset: { 'a.1': '' } }, { a: [1, null, 3] }],
    ['$inc', { a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
    ['$inc of a missing field', {}, { $inc: { a: 2 } }, { a: 2 }],
    ['$inc of a string', { a: 'x' }, { $inc: { a: 2 } }, 14],
    ['$inc of null', { a: null }, { $inc: { a: 2 } }, 14],
    ['$inc by a string', { a: 1 }, { $inc: { a: 'x' } }, 14],
    ['$mul', { a: 3 }, { $mul: { a: 2 } }, { a: 6 }],
    ['$mul of a missing field is zero', {}, { $mul: { a: 2 } }, { a: 0 }],
    ['$mul of a string', { a: 'x' }, { $mul: { a: 2 } }, 14],
    ['$min keeps the lesser', { a: 5, b: 5 }, { $min: { a: 3, b: 9, c: 1 } }, { a: 3, b: 5, c: 1 }],
    ['$max keeps the greater', { a: 5, b: 5 }, { $max: { a: 3, b: 9, c: 1 } }, { a: 5, b: 9, c: 1 }],
    ['$min and $max compare types', { a: 5, b: 5 }, { $min: { a: 'x' }, $max: { b: 'x' } }, { a: 5, b: 'x' }],
    ['$rename', { a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
    ['$rename over another', { a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
    ['$rename of what is not there', { b: 2 }, { $rename: { a: 'b' } }, { b: 2 }],
    ['$rename into a document', { a: 1 }, { $rename: { a: 'x.y' } }, { x: { y: 1 } }],
    ['$rename of a path', { a: { b: 1, c: 2 } }, { $rename: { 'a.b': 'd' } }, { a: { c: 2 }, d: 1 }],
    ['$rename through an array', { a: [{ b: 1 }] }, { $rename: { 'a.b': 'c' } }, 2],
    ['$rename to itself', { a: 1 }, { $rename: { a: 'a' } }, 2],
    ['$rename to no string', { a: 1 }, { $rename: { a: 5 } }, 2],
    ['$setOnInsert does nothing to what exists', { a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 }],
    ['$push', { a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
    ['$push makes the array', {}, { $push: { a: 2 } }, { a: [2] }],
    ['$push of an array is one item', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
    ['$push to a scalar', { a: 1 }, { $push: { a: 2 } }, 2],
    ['$push to null', { a: null }, { $push: { a: 2 } }, 2],
    ['$push $each', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
    ['$push $position', { a: [1, 2] }, { $push: { a: { $each: [9], $position: 1 } } }, { a: [1, 9, 2] }],
    [
      '$push $position from the end',
      { a: [1, 2, 3] },
      { $push: { a: { $each: [9], $position: -1 } } },
      { a: [1, 2, 9, 3] },
    ],
    ['$push $slice from the end', { a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -3 } } }, { a: [2, 3, 4] }],
    ['$push $slice from the front', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
    ['$push $slice 0 empties', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 0 } } }, { a: [] }],
    ['$push $sort', { a: [3, 1] }, { $push: { a: { $each: [2], $sort: 1 } } }, { a: [1, 2, 3] }],
    [
      '$push $sort by a field, then $slice',
      { a: [{ n: 3 }, { n: 1 }] },
      { $push: { a: { $each: [{ n: 2 }], $sort: { n: -1 }, $slice: 2 } } },
      { a: [{ n: 3 }, { n: 2 }] },
    ],
    ['$push $each of no array', { a: [] }, { $push: { a: { $each: 1 } } }, 2],
    ['$push with an unknown clause', { a: [] }, { $push: { a: { $each: [1], $foo: 1 } } }, 2],
    ['$push $slice of a string', { a: [] }, { $push: { a: { $each: [1], $slice: 'x' } } }, 2],
    ['$addToSet leaves what is there', { a: [1, 2] }, { $addToSet: { a: 2 } }, { a: [1, 2] }],
    ['$addToSet $each', { a: [1] }, { $addToSet: { a: { $each: [1, 2, 2, 3] } } }, { a: [1, 2, 3] }],
    [
      '$addToSet compares documents in field order',
      { a: [{ x: 1, y: 2 }] },
      { $addToSet: { a: { y: 2, x: 1 } } },
      {
        a: [
          { x: 1, y: 2 },
          { y: 2, x: 1 },
        ],
      },
    ],
    ['$addToSet to a scalar', { a: 1 }, { $addToSet: { a: 2 } }, 2],
    ['$addToSet $each of no array', { a: [] }, { $addToSet: { a: { $each: 1 } } }, 14],
    ['$pop from the end', { a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
    ['$pop from the front', { a: [1, 2, 3] }, { $pop: { a: -1 } }, { a: [2, 3] }],
    ['$pop of what is not there', { b: 1 }, { $pop: { a: 1 } }, { b: 1 }],
    ['$pop of a scalar', { a: 1 }, { $pop: { a: 1 } }, 14],
    ['$pop by 2', { a: [1] }, { $pop: { a: 2 } }, 9],
    ['$pull by value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }],
    ['$pull by a condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
    [
      '$pull by a filter on documents',
      { a: [{ x: 1, y: 1 }, { x: 2 }] },
      { $pull: { a: { x: 1 } } },
      { a: [{ x: 2 }] },
    ],
    ['$pull by $in', { a: [1, 2, 3] }, { $pull: { a: { $in: [1, 3] } } }, { a: [2] }],
    ['$pull from a scalar', { a: 1 }, { $pull: { a: 1 } }, 2],
    ['$pull from what is not there', { b: 1 }, { $pull: { a: 1 } }, { b: 1 }],
    ['$pullAll', { a: [1, 2, 3, 1] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
    ['$pullAll of no array', { a: [1] }, { $pullAll: { a: 1 } }, 2],
    ['$bit', { a: 13 }, { $bit: { a: { and: 10 } } }, { a: 8 }],
    ['$bit of a double', { a: new Double(1.5) }, { $bit: { a: { or: 1 } } }, 2],
    ['$bit with an unknown operation', { a: 1 }, { $bit: { a: { nand: 1 } } }, 2],
    ['$currentDate with a wrong operand', { a: 1 }, { $currentDate: { a: 'x' } }, 2],
  ])('%s', async (_says, before, update, expected) => {
    expect(await apply(before, update)).toEqual(expected);
  });

  it('$currentDate sets the server’s time as a date or a timestamp', async () => {
    const result = (await apply({}, { $currentDate: { a: true, b: { $type: 'timestamp' } } })) as {
      a: Date;
      b: InstanceType<typeof Timestamp>;
    };
    expect(Math.abs(result.a.getTime() - Date.now())).toBeLessThan(60_000);
    expect(result.b).toBeInstanceOf(Timestamp);
  });
});

describe('number types', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['int32 and int32', new Int32(1), new Int32(2), new Int32(3)],
    ['int32 overflow widens', new Int32(2147483647), new Int32(1), Long.fromString('2147483648')],
    ['int64 stays int64', Long.fromNumber(1), new Int32(2), Long.fromNumber(3)],
    [
      'int64 beyond 2^53 is exact',
      Long.fromString('9007199254740993'),
      new Int32(1),
      Long.fromString('9007199254740994'),
    ],
    ['any double gives a double', new Int32(1), new Double(0.5), new Double(1.5)],
    ['int64 and double', Long.fromNumber(1), new Double(1), new Double(2)],
    [
      'any Decimal128 gives a Decimal128; a double comes in with 15 digits (unconfirmed)',
      new Double(0.1),
      Decimal128.fromString('0.2'),
      Decimal128.fromString('0.300000000000000'),
    ],
    ['int64 overflow is an error', Long.MAX_VALUE, new Int32(1), 2],
  ])('$inc: %s', async (_says, before, by, expected) => {
    const collection = await server.fresh([{ _id: 1, a: before }]);
    const code = await codeOf(collection.updateOne({ _id: 1 as never }, { $inc: { a: by as never } }));
    if (typeof expected === 'number') return expect(code).toBe(expected);
    const found = await collection.findOne({ _id: 1 as never }, raw);
    expect(BSON.EJSON.stringify({ a: found?.a }, { relaxed: false })).toBe(
      BSON.EJSON.stringify({ a: expected }, { relaxed: false }),
    );
  });

  it('a no-op modifies nothing, and a change of number type counts as a modification', async () => {
    const collection = await server.fresh([{ _id: 1, a: 5 }]);
    expect(await collection.updateOne({}, { $set: { a: 5 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
    expect(await collection.updateOne({}, { $inc: { a: 0 } })).toMatchObject({ modifiedCount: 0 });
    expect(await collection.updateOne({}, { $set: { a: new Double(5) } })).toMatchObject({ modifiedCount: 1 });
  });
});

describe('the whole update', () => {
  it('adds new fields in the order of their names', async () => {
    const collection = await server.fresh([{ _id: 1 }]);
    await collection.updateOne({}, { $set: { z: 1, b: 1, 'm.10': 1, 'm.9': 1 }, $inc: { a: 1 } });
    const found = await collection.findOne({});
    expect(Object.keys(found ?? {})).toEqual(['_id', 'a', 'b', 'm', 'z']);
  });

  it.each<[string, object, number]>([
    ['two changes on one path', { $set: { a: 1 }, $inc: { a: 1 } }, 40],
    ['a change inside another', { $set: { a: 1, 'a.b': 1 } }, 40],
    ['a rename onto a changed path', { $set: { b: 1 }, $rename: { a: 'b' } }, 40],
    ['_id changed', { $set: { _id: 2 } }, 66],
    ['_id removed', { $unset: { _id: 1 } }, 66],
    ['an unknown operator', { $foo: { a: 1 } }, 9],
    ['an operator of no document', { $set: 5 }, 9],
    ['an empty path', { $set: { '': 1 } }, 56],
    ['a path with an empty piece', { $set: { 'a..b': 1 } }, 56],
    ['$ in the first place', { $set: { $: 1 } }, 2],
  ])('is rejected with %s, and changes nothing', async (_says, update, code) => {
    expect(await apply({ a: 7 }, update)).toBe(code);
  });

  it('accepts an _id set to its own value', async () => {
    expect(await apply({ a: 1 }, { $set: { _id: 1, a: 2 } })).toEqual({ a: 2 });
  });

  it('replaces everything except the _id, and rejects another _id', async () => {
    const collection = await server.fresh([{ _id: 1, a: 1, b: 2 }]);
    await collection.replaceOne({ _id: 1 as never }, { c: 3 });
    expect(await collection.findOne({})).toEqual({ _id: 1, c: 3 });
    expect(await codeOf(collection.replaceOne({ _id: 1 as never }, { _id: 2 as never, c: 3 }))).toBe(66);
  });

  it('keeps earlier documents changed when a later one of updateMany fails', async () => {
    const collection = await server.fresh([
      { _id: 1, a: 1 },
      { _id: 2, a: 'x' },
      { _id: 3, a: 1 },
    ]);
    expect(await codeOf(collection.updateMany({}, { $inc: { a: 1 } }))).toBe(14);
    expect((await collection.find().toArray()).map(({ a }) => a)).toEqual([2, 'x', 1]);
  });
});
