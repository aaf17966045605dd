import { migrate } from '@cord/kit/migration/migrate';
import { migratedStore, randomId, startTestBackend, type TestBackend } from '@cord/kit/testing/index';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { data } from '../data.js';
import type { SessionDoc } from '../store/models.js';

/** More than one batch of them. */
const RECORDS = 30;
const BATCH = 7;

let backend: TestBackend;
let store: Connection;
beforeAll(async () => {
  backend = await startTestBackend();
  store = await migratedStore(backend.mongodbUri, backend.dbName('mining'), []);
});
afterAll(async () => {
  await store?.close();
  await backend?.stop();
});

test('session records of an earlier release forget their address, and nothing else of them', async () => {
  const sessions = store.collection<Partial<SessionDoc> & { _id: string }>('sessions');
  const record = (addressHash: string | null) => ({
    _id: randomId(),
    userId: randomId(),
    earnedMicro: 5n,
    addressHash,
  });
  const before = Array.from({ length: RECORDS }, (_, n) => record(`hash ${n}`));
  const without = record(null);
  await sessions.insertMany([...before, without]);
  expect(await migrate(store, data, { batch: BATCH })).toBe(RECORDS);
  expect(await sessions.countDocuments({ addressHash: { $type: 'string' } })).toBe(0);
  const [first] = before;
  expect(await sessions.findOne({ _id: first?._id ?? '' })).toEqual({ ...first, addressHash: null, schemaVersion: 2 });
  expect(await sessions.findOne({ _id: without._id })).toEqual(without);
});
