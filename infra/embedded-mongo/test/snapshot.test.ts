import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockFolder } from '../engine/lock.js';
import { type EmbeddedMongo, startEmbeddedMongo } from '../index.js';
import { type Client, MongoClient } from './harness.js';

let dataDir: string;
let server: EmbeddedMongo;
let client: Client;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
  await mkdir(join(dataDir, 'snapshot-left'));
  server = await startEmbeddedMongo({ port: 0, dataDir });
  client = await MongoClient.connect(server.uri);
});
afterAll(async () => {
  await client.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

test('a snapshot has all databases at one instant while writes continue', async () => {
  const [first, second] = ['first', 'second'].map((name) => client.db(name).collection<{ _id: number }>('numbers'));
  await first!.createIndex({ n: 1 });
  let isWriting = true;
  let written = 0;
  const writing = (async () => {
    for (; isWriting; written += 1) {
      await first!.insertOne({ _id: written });
      await second!.insertOne({ _id: written });
    }
  })();
  await expect.poll(() => written).toBeGreaterThan(20);
  const atLeast = written;
  const { folder } = await client.db('admin').command({ cordSnapshot: 1 });
  isWriting = false;
  await writing;

  const copy = await startEmbeddedMongo({ port: 0, dataDir: folder });
  const reader = await MongoClient.connect(copy.uri);
  const ids = async (name: string) =>
    (await reader.db(name).collection<{ _id: number }>('numbers').find().sort({ _id: 1 }).toArray()).map(
      ({ _id }) => _id,
    );
  const [one, two] = [await ids('first'), await ids('second')];
  await reader.close();
  await copy.close();
  expect(two.length).toBeGreaterThanOrEqual(atLeast);
  // Each was written into the second database after its acknowledgement by the first.
  expect(one.slice(0, two.length)).toEqual(two);
  expect(one.length - two.length).toBeLessThanOrEqual(1);
  expect(one).toEqual(one.map((_, at) => at));
  await rm(folder, { recursive: true });
});

test('leftover snapshots are removed at the next start', async () => {
  expect(existsSync(join(dataDir, 'snapshot-left'))).toBe(false);
  expect((await readdir(dataDir)).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
});

test('a later snapshot removes old leftovers, but none that is fresh or being read', async () => {
  const made = await Promise.all(
    ['left', 'read', 'fresh'].map(async (name) => {
      const { folder } = await client.db('admin').command({ cordSnapshot: 1 });
      const hourAgo = new Date(Date.now() - 3_600_000);
      if (name !== 'fresh') await utimes(join(folder, 'store.mdb'), hourAgo, hourAgo);
      return { name, folder };
    }),
  );
  const folderOf = (name: string) => made.find((one) => one.name === name)?.folder ?? '';
  const unlock = await lockFolder(folderOf('read'));
  const { folder } = await client.db('admin').command({ cordSnapshot: 1 });
  expect(made.filter((one) => existsSync(one.folder)).map(({ name }) => name)).toEqual(['read', 'fresh']);
  await unlock();
  for (const one of [folder, folderOf('read'), folderOf('fresh')]) await rm(one, { recursive: true });
});
