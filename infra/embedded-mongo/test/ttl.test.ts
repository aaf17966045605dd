import { describe, expect, it } from 'vitest';
import { isEmbedded, useServer } from './harness.js';

/* A real server sweeps once a minute; here the sweep comes often, so that the test need not wait. */
const server = useServer({ ttlSweepMs: 50 });

describe.runIf(isEmbedded)('a TTL index', () => {
  it('removes only documents whose date, or smallest date of an array, has expired', async () => {
    const now = Date.now();
    const collection = await server.fresh([
      { _id: 'old', at: new Date(now - 20_000) },
      { _id: 'new', at: new Date(now + 60_000) },
      { _id: 'fresh enough', at: new Date(now - 2_000) },
      { _id: 'no date', at: now - 20_000 },
      { _id: 'missing' },
      { _id: 'array', at: [new Date(now + 60_000), new Date(now - 20_000)] },
    ]);
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
    await expect.poll(() => collection.countDocuments()).toBe(4);
    expect((await collection.find().toArray()).map(({ _id }) => _id)).toEqual([
      'new',
      'fresh enough',
      'no date',
      'missing',
    ]);
    expect(await collection.countDocuments({ at: { $lt: new Date(now - 10_000) } })).toBe(0);
  });

  it('also expires documents when it is descending or unique', async () => {
    const collection = await server.fresh([
      { a: new Date(0), b: new Date(1) },
      { a: new Date(), b: new Date(0) },
      { a: new Date(), b: new Date(Date.now() + 60_000) },
    ]);
    await collection.createIndex({ a: -1 }, { expireAfterSeconds: 3600 });
    await collection.createIndex({ b: 1 }, { unique: true, expireAfterSeconds: 0 });
    await expect.poll(() => collection.countDocuments()).toBe(1);
  });

  it('shows its expiry time, and is rejected over two fields', async () => {
    const collection = await server.fresh();
    await collection.createIndex({ at: 1 }, { expireAfterSeconds: 10 });
    expect((await collection.indexes())[1]).toMatchObject({ expireAfterSeconds: 10 });
    await expect(collection.createIndex({ at: 1, b: 1 }, { expireAfterSeconds: 10 })).rejects.toMatchObject({
      code: 67,
    });
  });
});
