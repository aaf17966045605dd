import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedMongo } from '../index.js';
import { codeOf, MongoClient } from './harness.js';
import { verifyFolder } from './verify-indexes.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-build-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const DOCUMENTS = 6_000;

describe('an index built while others write', () => {
  it('agrees with the documents, or is not there at all', async () => {
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

  it('refuses no write before it stands: where two documents met under its key, it is the index that cannot be', async () => {
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

  it('and a dropped collection leave nothing that a new one of the same name would see', async () => {
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
