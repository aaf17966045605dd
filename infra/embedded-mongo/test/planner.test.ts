import { describe, expect, it } from 'vitest';
import { type Collection, ids, isEmbedded, useServer } from './harness.js';

const server = useServer();

/** Stages of the winning plan from the top, and the index that is read. */
async function planOf(
  collection: Collection,
  filter: object,
  sort: object = {},
): Promise<{
  stages: string[];
  index?: string;
  direction?: string;
  stats: { totalKeysExamined: number; totalDocsExamined: number; nReturned: number };
}> {
  const explained = await collection
    .find(filter)
    .sort(sort as never)
    .explain('executionStats');
  const stages: string[] = [];
  let stage = explained.queryPlanner.winningPlan;
  let last = stage;
  while (stage !== undefined) {
    stages.push(stage.stage);
    last = stage;
    stage = stage.inputStage;
  }
  return { stages, index: last.indexName, direction: last.direction, stats: explained.executionStats };
}

describe.runIf(isEmbedded)('plans', () => {
  const many = Array.from({ length: 300 }, (_, n) => ({
    _id: n,
    a: n % 10,
    b: n,
    s: n % 3 === 0 ? n : undefined,
    tags: [`t${n % 5}`, `u${n % 7}`],
    state: n % 30 === 0 ? 'open' : 'done',
  }));
  let made: Promise<Collection> | undefined;
  const indexed = (): Promise<Collection> => {
    made ??= server.fresh(many).then(async (collection) => {
      await collection.createIndexes([
        { key: { a: 1, b: -1 } },
        { key: { b: 1 } },
        { key: { s: 1 }, sparse: true },
        { key: { tags: 1 } },
        { key: { b: -1, a: 1 }, name: 'open', partialFilterExpression: { state: 'open' } },
      ]);
      return collection;
    });
    return made;
  };

  it.each<[string, object, object, string | undefined, string, number]>([
    ['an _id is one key', { _id: 7 }, {}, '_id_', 'forward', 1],
    ['equality and a range take a compound index', { a: 3, b: { $gte: 100, $lt: 200 } }, {}, 'a_1_b_-1', 'forward', 10],
    ['a range takes its index', { b: { $gt: 289 } }, {}, 'b_1', 'forward', 10],
    ['a sort takes its index backwards', { b: { $gt: 289 } }, { b: -1 }, 'b_1', 'backward', 10],
    ['equality gives the order of the next field', { a: 3 }, { b: -1 }, 'a_1_b_-1', 'forward', 30],
    ['and its reverse', { a: 3 }, { b: 1 }, 'a_1_b_-1', 'backward', 30],
    ['a set is several points', { b: { $in: [5, 9, 400] } }, { b: 1 }, 'b_1', 'forward', 2],
    ['an item of an array', { tags: 't1' }, {}, 'tags_1', 'forward', 60],
    ['a sparse index, when the field must be there', { s: { $gte: 0 } }, {}, 's_1', 'forward', 100],
    [
      'a partial index, when the filter implies its own',
      { state: 'open', b: { $gte: 150 } },
      { b: -1, a: 1 },
      'open',
      'forward',
      5,
    ],
  ])('read an index: %s', async (_says, filter, sort, index, direction, keys) => {
    const found = await planOf(await indexed(), filter, sort);
    expect(found).toMatchObject({ stages: ['FETCH', 'IXSCAN'], index, direction });
    expect(found.stats.totalKeysExamined).toBe(keys);
    expect(found.stats.totalDocsExamined).toBe(keys);
  });

  it.each<[string, object, object, string[]]>([
    ['a field without an index is a full scan', { state: 'x' }, {}, ['COLLSCAN']],
    ['a sort without an index is done in memory', { state: 'open' }, { zz: 1 }, ['SORT', 'COLLSCAN']],
    ['a sparse index is no help when the field may be missing', { s: null }, {}, ['COLLSCAN']],
    ['a multikey index gives no order', { tags: { $gt: 't' } }, { tags: 1 }, ['SORT', 'FETCH', 'IXSCAN']],
    [
      'two directions that the index does not have are sorted',
      { a: { $gte: 0 } },
      { a: 1, b: 1 },
      ['SORT', 'FETCH', 'IXSCAN'],
    ],
    ['an $or takes an index for each branch', { $or: [{ b: 5 }, { _id: 7 }] }, {}, ['SUBPLAN', 'FETCH', 'OR']],
    ['an $or with a branch that has none is a full scan', { $or: [{ b: 5 }, { state: 'x' }] }, {}, ['COLLSCAN']],
  ])('have the expected stages: %s', async (_says, filter, sort, stages) => {
    expect((await planOf(await indexed(), filter, sort)).stages).toEqual(stages);
  });

  it('examine fewer than 50 of 300 documents for a sort by an index with limit 5', async () => {
    const explained = await (await indexed()).find().sort({ b: -1 }).limit(5).explain('executionStats');
    expect(explained.executionStats).toMatchObject({ nReturned: 5 });
    expect(explained.executionStats.totalDocsExamined).toBeLessThan(50);
  });

  it('follow a hint', async () => {
    const collection = await indexed();
    const explained = await collection.find({ b: 5 }).hint({ a: 1, b: -1 }).explain();
    expect(explained.queryPlanner.winningPlan.inputStage.indexName).toBe('a_1_b_-1');
    expect((await collection.find({ b: 5 }).hint({ $natural: 1 }).explain()).queryPlanner.winningPlan.stage).toBe(
      'COLLSCAN',
    );
  });

  it('are explained for each other command, without running it', async () => {
    const collection = await indexed();
    const name = collection.collectionName;
    for (const command of [
      { update: name, updates: [{ q: { b: 5 }, u: { $set: { x: 1 } } }] },
      { delete: name, deletes: [{ q: { b: 5 }, limit: 1 }] },
      { count: name, query: { b: 5 } },
      { distinct: name, key: 'a', query: { b: 5 } },
      { findAndModify: name, query: { b: 5 }, remove: true },
      { aggregate: name, pipeline: [{ $match: { b: 5 } }, { $count: 'n' }], cursor: {} },
    ]) {
      const explained = await server.db.command({ explain: command, verbosity: 'queryPlanner' });
      expect(explained.queryPlanner.winningPlan.inputStage.indexName).toBe('b_1');
    }
    expect(await collection.countDocuments({ b: 5, x: 1 })).toBe(0);
  });
});

describe('an index over arrays', () => {
  it.each<[string, object, object[], object, unknown[]]>([
    [
      'takes two bounds that two items meet',
      { a: 1 },
      [
        { _id: 1, a: [1, 10] },
        { _id: 2, a: [1, 2] },
      ],
      { a: { $gt: 4, $lt: 6 } },
      [1],
    ],
    [
      'takes two values that two items have',
      { a: 1 },
      [
        { _id: 1, a: [1, 10] },
        { _id: 2, a: [1] },
      ],
      { $and: [{ a: 1 }, { a: 10 }] },
      [1],
    ],
    [
      'takes fields of two items of one array',
      { 'c.x': 1, 'c.y': 1 },
      [
        {
          _id: 1,
          c: [
            { x: 1, y: 9 },
            { x: 8, y: 2 },
          ],
        },
      ],
      { 'c.x': 1, 'c.y': 2 },
      [1],
    ],
    [
      'takes a document once, though several keys lead to it',
      { a: 1 },
      [{ _id: 1, a: [5, 6, 7] }],
      { a: { $gte: 5 } },
      [1],
    ],
    [
      'takes an array as a whole',
      { a: 1 },
      [
        { _id: 1, a: [5, 6] },
        { _id: 2, a: [[5, 6]] },
        { _id: 3, a: 5 },
      ],
      { a: [5, 6] },
      [1, 2],
    ],
    [
      'takes null in and an empty array out',
      { a: 1 },
      [{ _id: 1, a: [] }, { _id: 2, a: [null] }, { _id: 3 }],
      { a: null },
      [2, 3],
    ],
    [
      'orders by the least item, not by the one in the bounds',
      { a: 1 },
      [
        { _id: 1, a: [9, 1] },
        { _id: 2, a: [5] },
      ],
      { a: { $gt: 4 } },
      [1, 2],
    ],
    [
      'gives no order where a field is fixed to one of several items',
      { a: 1, b: 1 },
      [
        { _id: 1, a: [1, 2], b: 2 },
        { _id: 2, a: [1], b: 1 },
      ],
      { a: 1 },
      [1, 2],
    ],
  ])('%s', async (_says, key, documents, filter, expected) => {
    const collection = await server.fresh(documents);
    await collection.createIndex(key as never);
    expect(await ids(collection.find(filter).sort({ a: 1, _id: 1 }))).toEqual(expected);
  });
});

describe.runIf(isEmbedded)('large scans', () => {
  it('yield to other connections, and log the shape of the query without its values', async () => {
    const collection = await server.fresh();
    await collection.insertMany(Array.from({ length: 12_000 }, (_, n) => ({ n, name: `secret-${n}` })));
    server.warnings.length = 0;
    let pings = 0;
    let isScanning = true;
    const pinging = (async () => {
      while (isScanning) {
        await server.db.command({ ping: 1 });
        pings++;
      }
    })();
    expect(await collection.countDocuments({ name: 'secret-11999', n: { $gt: 1 } })).toBe(1);
    isScanning = false;
    await pinging;
    expect(pings).toBeGreaterThan(1);
    expect(server.warnings).toHaveLength(1);
    expect(server.warnings[0]).toMatch(/full scan of 12000 documents in .* by aggregate \{name: \?, n: \{\$gt: \?\}\}/);
  });

  it('stop at maxTimeMS', async () => {
    const collection = await server.fresh();
    await collection.insertMany(Array.from({ length: 12_000 }, (_, n) => ({ n })));
    const error = await collection
      .find({ m: 1 })
      .maxTimeMS(1)
      .toArray()
      .catch((reason) => reason);
    expect(error.code).toBe(50);
  });
});
