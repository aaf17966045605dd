import { describe, expect, it } from 'vitest';
import { BSON, codeOf, MongoClient, useServer } from '../harness.js';

/* Expected answers are from MongoDB's manual (Cursors, Bulk Write Operations, Write Concern). */
const server = useServer();
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({ _id: n, n: n % 7, text: 'x'.repeat(50) }));

describe('cursors', () => {
  it('return every document once, whatever the batch size', async () => {
    const collection = await server.fresh(many(300));
    for (const batchSize of [1, 7, 101, 300, 5000]) {
      const found = await collection.find({}, { batchSize }).toArray();
      expect(found.map(({ _id }) => _id)).toEqual(many(300).map((one) => (one as { _id: number })._id));
    }
  });

  it('stop at the limit across batches', async () => {
    const collection = await server.fresh(many(1000));
    expect(await collection.find({}, { batchSize: 10 }).limit(25).toArray()).toHaveLength(25);
    expect(await collection.find().skip(990).toArray()).toHaveLength(10);
    expect(await collection.find().limit(1).toArray()).toHaveLength(1);
  });

  it('split batches of large documents below the message size', async () => {
    const collection = await server.fresh();
    for (let i = 0; i < 3; i++) await collection.insertOne({ i, blob: Buffer.alloc(8_000_000) });
    expect((await collection.find().toArray()).map(({ i }) => i)).toEqual([0, 1, 2]);
  });

  it('survive writes, and end when the collection is dropped', async () => {
    const collection = await server.fresh(many(500));
    const cursor = collection.find({}, { batchSize: 10 });
    await cursor.next();
    await collection.deleteMany({ _id: { $gte: 100 as never } });
    expect(await cursor.toArray()).toHaveLength(99);
    const doomed = await server.fresh(many(500));
    const other = doomed.find({}, { batchSize: 10 });
    await other.next();
    await doomed.drop();
    // A real server may end it with an error (175); what matters is that it ends.
    expect((await other.toArray().catch(() => [])).length).toBeLessThan(500);
  });

  it('are gone once killed, and an unknown one is reported', async () => {
    const collection = await server.fresh(many(500));
    const reply = await server.db.command({ find: collection.collectionName, batchSize: 2 }, { promoteLongs: false });
    const { id } = reply.cursor;
    const more = await server.db.command({ getMore: id, collection: collection.collectionName, batchSize: 3 });
    expect(more.cursor.nextBatch.map(({ _id }: { _id: number }) => _id)).toEqual([2, 3, 4]);
    expect(
      (await server.db.command({ killCursors: collection.collectionName, cursors: [id] })).cursorsKilled,
    ).toHaveLength(1);
    expect(await codeOf(server.db.command({ getMore: id, collection: collection.collectionName }))).toBe(43);
    expect(
      (await server.db.command({ killCursors: collection.collectionName, cursors: [id] })).cursorsNotFound,
    ).toHaveLength(1);
  });

  it('open without documents at batchSize 0, and close after one batch with singleBatch', async () => {
    const collection = await server.fresh(many(10));
    const opened = await server.db.command({ find: collection.collectionName, batchSize: 0 }, { promoteLongs: false });
    expect(opened.cursor.firstBatch).toEqual([]);
    expect(opened.cursor.id.isZero()).toBe(false);
    const single = await server.db.command(
      { find: collection.collectionName, batchSize: 2, singleBatch: true },
      { promoteLongs: false },
    );
    expect(single.cursor.firstBatch).toHaveLength(2);
    expect(single.cursor.id.isZero()).toBe(true);
  });

  it('are empty over an empty collection', async () => {
    const collection = await server.fresh();
    expect(await collection.find().toArray()).toEqual([]);
    expect(await collection.countDocuments()).toBe(0);
    expect(await collection.aggregate([{ $group: { _id: null, n: { $sum: 1 } } }]).toArray()).toEqual([]);
    expect(await collection.distinct('a')).toEqual([]);
  });
});

describe('batches of writes', () => {
  it('stop at the first error when ordered, and keep the earlier writes', async () => {
    const collection = await server.fresh([{ _id: 2 }]);
    const error = await collection
      .insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }] as never[])
      .catch((reason) => reason);
    expect(error.code).toBe(11000);
    expect(error.writeErrors[0].index).toBe(1);
    expect(error.insertedCount).toBe(1);
    expect((await collection.find().toArray()).map(({ _id }) => _id)).toEqual([2, 1]);
  });

  it('continue after errors when unordered', async () => {
    const collection = await server.fresh([{ _id: 2 }]);
    const error = await collection
      .insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 1 }] as never[], { ordered: false })
      .catch((reason) => reason);
    expect(error.writeErrors.map(({ index }: { index: number }) => index)).toEqual([1, 3]);
    expect(await collection.countDocuments()).toBe(3);
  });

  it('mix inserts, updates, upserts and deletes', async () => {
    const collection = await server.fresh([
      { _id: 1, n: 1 },
      { _id: 2, n: 1 },
    ]);
    const result = await collection.bulkWrite([
      { insertOne: { document: { _id: 3 as never, n: 1 } } },
      { updateMany: { filter: { n: 1 }, update: { $inc: { n: 1 } } } },
      { updateOne: { filter: { _id: 9 as never }, update: { $set: { n: 5 } }, upsert: true } },
      { replaceOne: { filter: { _id: 1 as never }, replacement: { r: 1 } } },
      { deleteOne: { filter: { _id: 2 as never } } },
      { deleteMany: { filter: { n: 5 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 4,
      modifiedCount: 4,
      deletedCount: 2,
      upsertedCount: 1,
      upsertedIds: { 2: 9 },
    });
    expect(await collection.find().toArray()).toEqual([
      { _id: 1, r: 1 },
      { _id: 3, n: 2 },
    ]);
  });

  it('report a malformed statement with its index', async () => {
    const collection = await server.fresh([{ _id: 1, a: 'x' }]);
    const reply = await server.db.command({
      update: collection.collectionName,
      ordered: false,
      updates: [
        { q: {}, u: { $foo: 1 } },
        { q: {}, u: { $inc: { a: 1 } } },
        { q: {}, u: { $set: { b: 1 } } },
      ],
    });
    expect(reply.writeErrors.map(({ index, code }: { index: number; code: number }) => [index, code])).toEqual([
      [0, 9],
      [1, 14],
    ]);
    expect(reply).toMatchObject({ ok: 1, n: 1, nModified: 1 });
  });

  it('without acknowledgement keep their order with the next commands on the connection', async () => {
    const client = await MongoClient.connect(server.uri, { maxPoolSize: 1 });
    try {
      const collection = client.db(server.db.databaseName).collection<{ _id: number }>('unacknowledged');
      for (let n = 0; n < 50; n++) {
        await collection.insertOne({ _id: n }, { writeConcern: { w: 0 } });
        expect(await collection.countDocuments()).toBe(n + 1);
      }
    } finally {
      await client.close();
    }
  });

  it('reject an update to more than 16 MiB', async () => {
    const collection = await server.fresh([{ _id: 1, a: Buffer.alloc(9_000_000) }]);
    expect([10334, 17419, 17420]).toContain(
      await codeOf(collection.updateOne({}, { $set: { b: Buffer.alloc(9_000_000) } })),
    );
    expect(await collection.countDocuments({ b: { $exists: true } })).toBe(0);
  });
});

describe('the catalogue', () => {
  it('lists, creates and drops collections', async () => {
    const db = server.client.db(`${server.db.databaseName}_2`);
    await db.createCollection('a');
    await db.collection('b').insertOne({ x: 1 });
    expect(await codeOf(db.createCollection('a'))).toBe(48);
    expect((await db.listCollections().toArray()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    expect((await db.listCollections({ name: 'b' }).toArray()).map(({ name }) => name)).toEqual(['b']);
    await db.collection('b').drop();
    expect(await db.collection('b').countDocuments()).toBe(0);
    expect((await db.admin().listDatabases()).databases.map(({ name }) => name)).toContain(db.databaseName);
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
    expect(await codeOf(db.collection('gone').indexes())).toBe(26);
  });

  it('keeps the order and names of fields as inserted', async () => {
    const collection = await server.fresh();
    const document = new Map<string, unknown>([
      ['_id', 1],
      ['10', 'a'],
      ['9', 'b'],
      [
        'a',
        new Map([
          ['2', 1],
          ['1', 2],
        ]),
      ],
    ]);
    await collection.insertOne(document as never);
    const [found] = await collection.find({}, { raw: true }).toArray();
    expect(Buffer.from(found as never).equals(BSON.serialize(document))).toBe(true);
  });
});
