import { describe, expect, it } from 'vitest';
import { BSON, codeOf, useServer } from '../harness.js';

/* Expected answers are from MongoDB's manual (Aggregation Stages, Aggregation Operators). */
const server = useServer();

describe('aggregation', () => {
  const rows = [
    { _id: 1, k: 'a', n: 1, t: [1, 2] },
    { _id: 2, k: 'b', n: 2.5, t: [] },
    { _id: 3, k: 'a', n: 3 },
    { _id: 4, n: 'x', t: [3] },
  ];
  it.each<[string, object[], object[]]>([
    [
      '$match, $sort, $skip, $limit',
      [{ $match: { n: { $gt: 0 } } }, { $sort: { n: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { n: 1 } }],
      [{ _id: 2, n: 2.5 }],
    ],
    [
      '$group with every accumulator',
      [
        { $sort: { _id: 1 } },
        {
          $group: {
            _id: '$k',
            sum: { $sum: '$n' },
            avg: { $avg: '$n' },
            min: { $min: '$n' },
            max: { $max: '$n' },
            first: { $first: '$_id' },
            last: { $last: '$_id' },
            all: { $push: '$n' },
            count: { $sum: 1 },
            c: { $count: {} },
          },
        },
        { $sort: { _id: 1 } },
      ],
      [
        { _id: null, sum: 0, avg: null, min: 'x', max: 'x', first: 4, last: 4, all: ['x'], count: 1, c: 1 },
        { _id: 'a', sum: 4, avg: 2, min: 1, max: 3, first: 1, last: 3, all: [1, 3], count: 2, c: 2 },
        { _id: 'b', sum: 2.5, avg: 2.5, min: 2.5, max: 2.5, first: 2, last: 2, all: [2.5], count: 1, c: 1 },
      ],
    ],
    [
      '$group by a document',
      [{ $group: { _id: { k: '$k' }, n: { $sum: 1 } } }, { $sort: { n: -1, _id: 1 } }],
      [
        { _id: { k: 'a' }, n: 2 },
        { _id: {}, n: 1 },
        { _id: { k: 'b' }, n: 1 },
      ],
    ],
    ['$count', [{ $match: { k: 'a' } }, { $count: 'total' }], [{ total: 2 }]],
    [
      '$unwind',
      [{ $unwind: '$t' }, { $project: { t: 1 } }],
      [
        { _id: 1, t: 1 },
        { _id: 1, t: 2 },
        { _id: 4, t: 3 },
      ],
    ],
    [
      '$unwind keeping',
      [{ $unwind: { path: '$t', preserveNullAndEmptyArrays: true } }, { $project: { t: 1 } }],
      [{ _id: 1, t: 1 }, { _id: 1, t: 2 }, { _id: 2 }, { _id: 3 }, { _id: 4, t: 3 }],
    ],
    [
      '$project of computed fields',
      [
        { $match: { _id: 1 } },
        { $project: { _id: 0, sum: { $add: ['$n', 1] }, k: { $toUpper: '$k' }, size: { $size: '$t' } } },
      ],
      [{ sum: 2, k: 'A', size: 2 }],
    ],
    [
      '$addFields and $unset',
      [
        { $match: { _id: 3 } },
        { $addFields: { 'a.b': { $cond: [{ $gte: ['$n', 3] }, 'big', 'small'] }, n: '$$REMOVE' } },
        { $unset: 'k' },
      ],
      [{ _id: 3, a: { b: 'big' } }],
    ],
    [
      '$replaceRoot',
      [{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { v: '$n', w: { $ifNull: ['$zz', 'none'] } } } }],
      [{ v: 1, w: 'none' }],
    ],
    ['$sortByCount', [{ $sortByCount: '$k' }, { $limit: 1 }], [{ _id: 'a', count: 2 }]],
    [
      '$map, $filter and $reduce',
      [
        { $match: { _id: 1 } },
        {
          $project: {
            _id: 0,
            m: { $map: { input: '$t', as: 'i', in: { $multiply: ['$$i', 10] } } },
            f: { $filter: { input: '$t', cond: { $gt: ['$$this', 1] } } },
            r: { $reduce: { input: '$t', initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
          },
        },
      ],
      [{ m: [10, 20], f: [2], r: 3 }],
    ],
  ])('%s', async (_says, pipeline, expected) => {
    const collection = await server.fresh(rows);
    expect(await collection.aggregate(pipeline).toArray()).toEqual(expected);
  });

  it('sums int64 exactly', async () => {
    const collection = await server.fresh([{ n: BSON.Long.fromString('9007199254740993') }, { n: 1 }]);
    const [found] = await collection
      .aggregate([{ $group: { _id: null, n: { $sum: '$n' } } }], { promoteLongs: false })
      .toArray();
    expect(found?.n.toString()).toBe('9007199254740994');
  });

  it.each<[string, object[], number]>([
    ['an unknown stage', [{ $foo: 1 }], 40324],
    ['a stage of two names', [{ $match: {}, $limit: 1 }], 40323],
    ['$limit 0', [{ $limit: 0 }], 15958],
    ['an unknown expression', [{ $project: { a: { $foo: 1 } } }], 168],
    ['an unknown accumulator', [{ $group: { _id: null, a: { $foo: 1 } } }], 15952],
    ['$group without _id', [{ $group: { a: { $sum: 1 } } }], 15955],
  ])('rejects %s (code unconfirmed)', async (_says, pipeline, code) => {
    const collection = await server.fresh(rows);
    expect(await codeOf(collection.aggregate(pipeline).toArray())).toBe(code);
  });
});
