import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Database } from '../engine/database.js';
import { Store } from '../engine/store.js';
import { startEmbeddedMongo } from '../index.js';
import { type Collection, codeOf, MongoClient } from './harness.js';
import { verifyFolder } from './verify-indexes.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-build-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const DOCUMENTS = 6_000;

describe('an index build during writes', () => {
  it('gives indexes that match the documents, or none', async () => {
    const server = await startEmbeddedMongo({ port: 0, dataDir: folder });
    const client = await MongoClient.connect(server.uri, { maxPoolSize: 10 });
    const collection = client.db('build').collection<{ _id: number; a: number; tags: number[] }>('things');
    await collection.insertMany(Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: n, a: n, tags: [n % 5, n % 7] })));
    let isBuilding = true;
    let written = 0;
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let n = writer; isBuilding; n += 6) {
        await collection.updateOne({ _id: n % DOCUMENTS }, { $set: { tags: [n], a: -n } });
        await collection.deleteOne({ _id: (n * 31) % DOCUMENTS });
        await collection.insertOne({ _id: DOCUMENTS + n, a: DOCUMENTS + n, tags: [] });
        written++;
      }
    });
    await Promise.all([collection.createIndex({ tags: 1, a: -1 }), collection.createIndex({ a: 1 }, { sparse: true })]);
    // Two documents share a tag, so this one cannot be: nothing of it may stay.
    expect(await codeOf(collection.createIndex({ tags: 1 }, { unique: true }))).toBe(11000);
    isBuilding = false;
    await Promise.all(writers);
    expect(written).toBeGreaterThan(0);
    // The two were requested at once, over two connections: either may be first.
    expect((await collection.indexes()).map(({ name }) => name).sort()).toEqual(['_id_', 'a_1', 'tags_1_a_-1']);
    const count = await collection.countDocuments();
    expect(await collection.estimatedDocumentCount()).toBe(count);
    await client.close();
    await server.close();
    const verified = await verifyFolder(folder);
    expect(verified).toMatchObject({ documents: count, faults: [] });
  });

  it('rejects no write before the index is ready; on duplicates the index itself fails', async () => {
    const server = await startEmbeddedMongo({ port: 0, dataDir: folder });
    const client = await MongoClient.connect(server.uri, { maxPoolSize: 10 });
    const collection = client.db('build').collection<{ _id: number; a: number }>('twins');
    await collection.insertMany(Array.from({ length: DOCUMENTS }, (_, n) => ({ _id: n, a: n })));
    const seen = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const twin = (half: number) => ({ _id: DOCUMENTS + 2 * round + half, a: -1 - round });
      const build = collection.createIndex({ a: 1 }, { unique: true }).catch((error: { code?: number }) => error.code);
      await new Promise((resolve) => setTimeout(resolve, round));
      const writes = await Promise.all([0, 1].map((half) => codeOf(collection.insertOne(twin(half)))));
      const built = await build;
      const refused = writes.filter((code) => code === 11000).length;
      // Either the writes came before the index and both stand, or it stood before the second and refused that one.
      expect({ built, refused }).toEqual(built === 'a_1' ? { built: 'a_1', refused: 1 } : { built: 11000, refused: 0 });
      expect(await collection.countDocuments({ a: -1 - round })).toBe(2 - refused);
      seen.add(String(built));
      await collection.deleteMany({ a: -1 - round });
      if (built === 'a_1') await collection.dropIndex('a_1');
    }
    expect(seen).toContain('11000');
    await collection.drop();
    await client.close();
    await server.close();
    expect((await verifyFolder(folder)).faults).toEqual([]);
  });

  it('leaves nothing that a new collection of the same name would see after a drop', async () => {
    const server = await startEmbeddedMongo({ port: 0, dataDir: folder });
    const client = await MongoClient.connect(server.uri);
    const collection = client.db('build').collection('things');
    await collection.drop();
    expect(await collection.countDocuments()).toBe(0);
    await collection.insertOne({ a: 1 });
    expect(await collection.indexes()).toHaveLength(1);
    expect(await collection.estimatedDocumentCount()).toBe(1);
    await client.close();
    await server.close();
    expect(await verifyFolder(folder)).toEqual({ documents: 1, entries: 1, faults: [] });
  });
});

type Transacting = { db: { transaction: () => Promise<void> } };

/** Of two chunks of a build and a part of a third. */
const SOME = 2_500;
/** Writes of a build before that of its second chunk: the first documents are in its index by then, the others are not. */
const TO_SECOND_CHUNK = 2;

/** Does something in the midst of the server's next writes: after so many of them. */
function amid(writes: number, meddle: (store: Store) => Promise<unknown>): void {
  const { write } = Store.prototype;
  let left = writes;
  const spy = vi.spyOn(Store.prototype, 'write').mockImplementation(async function (this: Store, ...args) {
    if (left-- === 0) {
      spy.mockRestore();
      await meddle(this);
    }
    return write.apply(this, args) as never;
  });
}

describe('during the build of a unique index', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Does `work` on documents of which each has an `a` of its own, then compares all indexes with their documents. */
  async function onDocuments(work: (collection: Collection) => Promise<void>): Promise<void> {
    const dataDir = await mkdtemp(join(folder, 'amid-'));
    const server = await startEmbeddedMongo({ port: 0, dataDir });
    const client = await MongoClient.connect(server.uri);
    try {
      const collection = client.db('amid').collection('things');
      await collection.insertMany(Array.from({ length: SOME }, (_, n) => ({ _id: n, a: n })) as never[]);
      await work(collection);
    } finally {
      await client.close();
      await server.close();
    }
    expect((await verifyFolder(dataDir)).faults).toEqual([]);
  }
  const unique = (collection: Collection) => collection.createIndex({ a: 1 }, { unique: true });
  const reached = { _id: 0 as never };
  const last = { _id: (SOME - 1) as never };

  it.each([
    ['removed', (collection: Collection) => collection.deleteOne(last)],
    ['changed', (collection: Collection) => collection.updateOne(last, { $set: { a: -1 } })],
  ])('a document keeps the key taken over from another that is %s', async (_how, giveUp) => {
    await onDocuments(async (collection) => {
      amid(TO_SECOND_CHUNK, async () => {
        await collection.updateOne(reached, { $set: { a: SOME - 1 } });
        await giveUp(collection);
      });
      expect(await unique(collection)).toBe('a_1');
      expect(await codeOf(collection.insertOne({ a: SOME - 1 }))).toBe(11000);
    });
  });

  it('a second request for it returns once it is ready', async () => {
    await onDocuments(async (collection) => {
      let second: Promise<unknown> = Promise.resolve();
      const requested = vi.spyOn(Database.prototype, 'createIndexes');
      amid(TO_SECOND_CHUNK, async () => {
        second = unique(collection).then(() => collection.find({ a: 7 }).hint('a_1').toArray());
        await expect.poll(() => requested.mock.calls.length).toBe(2);
        // The server does here what it can before the build goes on.
        await collection.findOne(reached);
      });
      expect(await unique(collection)).toBe('a_1');
      expect(await second).toEqual([{ _id: 7, a: 7 }]);
    });
  });

  it('a second request that includes it fails with the build, and no index remains', async () => {
    await onDocuments(async (collection) => {
      await collection.insertOne({ a: SOME - 1 });
      let second: Promise<unknown> = Promise.resolve();
      const requested = vi.spyOn(Database.prototype, 'createIndexes');
      amid(TO_SECOND_CHUNK, async () => {
        second = codeOf(collection.createIndexes([{ key: { a: 1 }, unique: true }, { key: { b: 1 } }]));
        await expect.poll(() => requested.mock.calls.length).toBe(2);
        await collection.findOne(reached);
      });
      expect(await codeOf(unique(collection))).toBe(11000);
      expect(await second).toBe(11000);
      expect(await collection.indexes()).toHaveLength(1);
    });
  });

  it('dropping it fails the build, and no index remains', async () => {
    await onDocuments(async (collection) => {
      amid(TO_SECOND_CHUNK, () => collection.dropIndex('a_1'));
      expect(await codeOf(unique(collection))).toBe(276);
      expect(await collection.indexes()).toHaveLength(1);
      expect(await unique(collection)).toBe('a_1');
    });
  });

  it('a duplicate is still detected after a commit that fails and is retried', async () => {
    await onDocuments(async (collection) => {
      amid(TO_SECOND_CHUNK, async (store) => {
        await collection.insertOne({ a: 7 });
        // The next commit is that of the build's own chunk, which is tried again.
        const full = Object.assign(new Error('no room'), { code: constants.errno.ENOSPC });
        vi.spyOn((store as unknown as Transacting).db, 'transaction').mockRejectedValueOnce(full);
      });
      expect(await codeOf(unique(collection))).toBe(11000);
    });
  });
});
