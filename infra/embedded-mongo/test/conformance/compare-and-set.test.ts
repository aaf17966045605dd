import { describe, expect, it } from 'vitest';
import { BSON, type Collection, codeOf, useServer } from '../harness.js';

/* What the ledger rests on. Expected answers are from MongoDB's manual (Atomicity and Transactions, Unique Indexes). */
const { Long } = BSON;
const server = useServer();
const RACERS = process.env.PROOF === '1' ? 64 : 16;

const race = <T>(run: (racer: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: RACERS }, (_, racer) => run(racer)));
const keyError = (error: { code?: number }): number | undefined => error.code;

describe('compare-and-set', () => {
  it(`has one winner among ${RACERS} racers in each round`, async () => {
    const collection = await server.fresh([{ _id: 'a', seq: 0, by: -1 }]);
    for (let round = 0; round < 20; round++) {
      const results = await race((racer) =>
        collection.findOneAndUpdate(
          { _id: 'a' as never, seq: round },
          { $inc: { seq: 1 }, $set: { by: racer } },
          { returnDocument: 'after' },
        ),
      );
      const winners = results.filter((result) => result !== null);
      expect(winners).toHaveLength(1);
      expect(await collection.findOne({})).toEqual(winners[0]);
    }
  });

  it('is exact on int64 beyond 2^53', async () => {
    const start = 2n ** 53n + 1n;
    const collection = await server.fresh([{ _id: 'a', seq: Long.fromBigInt(start) }]);
    const near = await collection.updateOne({ seq: Long.fromBigInt(start - 1n) }, { $inc: { seq: 1 } });
    expect(near.matchedCount).toBe(0);
    const results = await race(() =>
      collection.updateOne({ _id: 'a' as never, seq: Long.fromBigInt(start) }, { $inc: { seq: Long.fromBigInt(1n) } }),
    );
    expect(results.filter(({ modifiedCount }) => modifiedCount === 1)).toHaveLength(1);
    const found = await collection.findOne({}, { promoteLongs: false });
    expect(found?.seq.toString()).toBe((start + 1n).toString());
  });

  it(`loses no increment of ${RACERS} writers`, async () => {
    const collection = await server.fresh([{ _id: 'a', n: 0 }]);
    await race(async () => {
      for (let i = 0; i < 10; i++)
        await collection.updateOne(
          { _id: 'a' as never },
          { $inc: { n: 1 }, $push: { log: { $each: [i], $slice: -5 } } as never },
        );
    });
    const found = await collection.findOne({});
    expect(found?.n).toBe(RACERS * 10);
    expect(found?.log).toHaveLength(5);
  });

  it(`gives each of ${RACERS} consumers a different document of a queue`, async () => {
    const collection = await server.fresh(Array.from({ length: 500 }, (_, n) => ({ _id: n, state: 'open', n })));
    const taken = await race(() =>
      collection.findOneAndUpdate({ state: 'open' }, { $set: { state: 'taken' } }, { sort: { n: 1 } }),
    );
    expect(new Set(taken.map((one) => one?._id)).size).toBe(RACERS);
    expect(taken.map((one) => one?.n).sort((a, b) => a - b)).toEqual(Array.from({ length: RACERS }, (_, n) => n));
  });
});

describe('unique indexes', () => {
  const duplicate = async (collection: Collection, document: object): Promise<number | string> =>
    codeOf(collection.insertOne(document));

  it(`accept one of ${RACERS} concurrent inserts, and name the duplicate key for the others`, async () => {
    const collection = await server.fresh();
    await collection.createIndex({ email: 1 }, { unique: true });
    const outcomes = await race((racer) =>
      collection.insertOne({ email: 'a@b', racer }).then(
        () => 'in',
        (error) => error,
      ),
    );
    expect(outcomes.filter((one) => one === 'in')).toHaveLength(1);
    const refused = outcomes.find((one) => one !== 'in');
    expect(refused).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'a@b' } });
    expect(refused.message).toContain('index: email_1 dup key: { email: "a@b" }');
  });

  it(`allow one document for ${RACERS} concurrent upserts of one key`, async () => {
    const collection = await server.fresh();
    await collection.createIndex({ k: 1 }, { unique: true });
    await race((racer) =>
      collection
        .updateOne({ k: 'x' }, { $inc: { n: 1 }, $setOnInsert: { racer } }, { upsert: true })
        .catch((error) => expect(keyError(error)).toBe(11000)),
    );
    expect(await collection.countDocuments()).toBe(1);
  });

  it('compare numbers of all types as one value, and missing as null', async () => {
    const collection = await server.fresh([{ a: 5 }]);
    await collection.createIndex({ a: 1 }, { unique: true });
    expect(await duplicate(collection, { a: Long.fromNumber(5) })).toBe(11000);
    expect(await duplicate(collection, { a: '5' })).toBe('no error');
    expect(await duplicate(collection, {})).toBe('no error');
    expect(await duplicate(collection, { a: null })).toBe(11000);
  });

  it('check the whole key when compound', async () => {
    const collection = await server.fresh([{ a: 1, b: 1 }]);
    await collection.createIndex({ a: 1, b: -1 }, { unique: true });
    expect(await duplicate(collection, { a: 1, b: 2 })).toBe('no error');
    expect(await duplicate(collection, { a: 1, b: 1 })).toBe(11000);
    expect(await duplicate(collection, { a: 1 })).toBe('no error');
    expect(await duplicate(collection, { a: 1 })).toBe(11000);
  });

  it('ignore documents without the field when sparse', async () => {
    const collection = await server.fresh([{ x: 1 }, { x: 2 }]);
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    expect(await duplicate(collection, {})).toBe('no error');
    expect(await duplicate(collection, { a: null })).toBe('no error');
    expect(await duplicate(collection, { a: null })).toBe(11000);
  });

  it('check only documents that match the filter when partial', async () => {
    const collection = await server.fresh();
    await collection.createIndex({ user: 1 }, { unique: true, partialFilterExpression: { state: 'open' } });
    expect(await duplicate(collection, { _id: 1, user: 'a', state: 'open' })).toBe('no error');
    expect(await duplicate(collection, { user: 'a', state: 'done' })).toBe('no error');
    expect(await duplicate(collection, { user: 'a', state: 'open' })).toBe(11000);
    await collection.updateOne({ _id: 1 as never }, { $set: { state: 'done' } });
    expect(await duplicate(collection, { user: 'a', state: 'open' })).toBe('no error');
    expect(await codeOf(collection.updateOne({ _id: 1 as never }, { $set: { state: 'open' } }))).toBe(11000);
  });

  it('check items of different documents, not of one, when multikey', async () => {
    const collection = await server.fresh();
    await collection.createIndex({ tags: 1 }, { unique: true });
    expect(await duplicate(collection, { tags: ['a', 'a', 'b'] })).toBe('no error');
    expect(await duplicate(collection, { tags: ['c', 'b'] })).toBe(11000);
    expect(await duplicate(collection, { tags: 'c' })).toBe('no error');
  });

  it('distinguish values longer than an index key may be', async () => {
    const collection = await server.fresh();
    await collection.createIndex({ a: 1 }, { unique: true });
    const long = 'x'.repeat(4_000);
    expect(await duplicate(collection, { a: `${long}1` })).toBe('no error');
    expect(await duplicate(collection, { a: `${long}2` })).toBe('no error');
    expect(await duplicate(collection, { a: `${long}1` })).toBe(11000);
    expect(await collection.countDocuments({ a: `${long}2` })).toBe(1);
    expect(await collection.countDocuments({ a: { $gt: long } })).toBe(2);
  });

  it('are not created over duplicates, and leave no index behind', async () => {
    const collection = await server.fresh([{ a: 1 }, { a: 1 }]);
    expect(await codeOf(collection.createIndex({ a: 1 }, { unique: true }))).toBe(11000);
    expect(await collection.indexes()).toHaveLength(1);
    expect(await duplicate(collection, { a: 1 })).toBe('no error');
  });

  it('reject a second _id, and an update onto a taken key changes nothing', async () => {
    const collection = await server.fresh([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ]);
    await collection.createIndex({ a: 1 }, { unique: true });
    expect(await duplicate(collection, { _id: 1, a: 9 })).toBe(11000);
    expect(await codeOf(collection.updateOne({ _id: 2 as never }, { $set: { a: 1, b: 1 } }))).toBe(11000);
    expect(await collection.findOne({ _id: 2 as never })).toEqual({ _id: 2, a: 2 });
  });
});

describe('index specifications', () => {
  it('are accepted again if identical, and rejected if they conflict', async () => {
    const collection = await server.fresh([{ a: 1 }]);
    expect(await collection.createIndex({ a: 1 })).toBe('a_1');
    expect(await collection.createIndex({ a: 1 })).toBe('a_1');
    expect(await codeOf(collection.createIndex({ a: 1 }, { name: 'other' }))).toBe(85);
    expect(await codeOf(collection.createIndex({ a: 1 }, { unique: true }))).toBe(86);
    expect(await codeOf(collection.createIndex({ b: 1 }, { name: 'a_1' }))).toBe(86);
    expect(await codeOf(collection.createIndex({ a: 1 }, { sparse: true, partialFilterExpression: { b: 1 } }))).toBe(
      67,
    );
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1']);
  });

  it('are dropped by name or all at once, except _id', async () => {
    const collection = await server.fresh([{ a: 1 }]);
    await collection.createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }, { key: { c: 1 } }]);
    await collection.dropIndex('a_1');
    expect(await codeOf(collection.dropIndex('a_1'))).toBe(27);
    expect(await codeOf(collection.dropIndex('_id_'))).toBe(72);
    await collection.dropIndexes();
    expect(await collection.indexes()).toHaveLength(1);
  });

  it('reject a document with arrays in two of their fields', async () => {
    const collection = await server.fresh();
    await collection.createIndex({ a: 1, b: 1 });
    expect(await duplicateOf(collection)).toBe(171);
  });

  const duplicateOf = (collection: Collection): Promise<number | string> =>
    codeOf(collection.insertOne({ a: [1], b: [2] }));
});
