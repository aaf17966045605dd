import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedMongo, startEmbeddedMongo } from '@cord/embedded-mongo';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICES } from '../dev/backup/contents.ts';
import { migrateAll } from '../dev/starter/migrate.ts';
import { startReplicaSet } from '../dev/test/replica-set.js';
import { examine } from './doctor.ts';

const HOUR_MS = 3_600_000;
const place = forAllTests(scratch);
let server: EmbeddedMongo;

beforeAll(async () => {
  server = await startEmbeddedMongo({ port: 0, dataDir: place.folder });
});
afterAll(async () => {
  await server.close();
});

const verdicts = async (now = Date.now) =>
  Object.fromEntries((await examine(server.uri, { now })).map(({ of, isGood }) => [of, isGood]));

test('a single server fails the checks that need a replica set and the indexes, and passes the others', async () => {
  expect(await verdicts()).toEqual({
    ...{ version: true, 'replica set': false, encryption: true, 'write and read concern': true },
    ...{ 'snapshots, for backups': false, indexes: true, clock: true },
  });
});

test('a missing index of the migrations is reported by name, and passes after they ran', async () => {
  await migrateAll(server.uri);
  const client = await new mongo.MongoClient(server.uri).connect();
  try {
    const entries = client.db('cord_mining').collection('entries');
    const [gone] = (await entries.indexes()).filter(({ name }) => name !== '_id_');
    expect(await verdicts()).toMatchObject({ indexes: true });
    await entries.dropIndex(gone?.name ?? '');
    const { found, isGood } = (await examine(server.uri)).find(({ of }) => of === 'indexes') ?? {};
    expect([isGood, found]).toEqual([false, expect.stringContaining(`cord_mining.entries.${gone?.name}`)]);
    const { databases } = await client.db('admin').admin().listDatabases();
    expect(databases.map(({ name }) => name)).not.toContain('cord_doctor');
  } finally {
    await client.close();
  }
});

test('leftovers of a killed doctor do not count against the store, and are removed', async () => {
  const client = await new mongo.MongoClient(server.uri).connect();
  try {
    await client.db('cord_doctor').collection<{ _id: string }>('probes').insertOne({ _id: 'probe' });
    expect(await verdicts()).toMatchObject({ 'write and read concern': true });
    const { databases } = await client.db('admin').admin().listDatabases();
    expect(databases.map(({ name }) => name)).not.toContain('cord_doctor');
  } finally {
    await client.close();
  }
});

test('snapshots pass only if one session reads the databases of all services at one instant', async () => {
  const snapshots = async (name: string, closed?: string) => {
    const set = stopAfterTest(await startReplicaSet(mkdtempSync(join(place.folder, name)), closed));
    const found = (await examine(set.uri)).find(({ of }) => of === 'snapshots, for backups');
    return { ...found, reads: set.reads.filter(({ concern }) => concern.level === 'snapshot') };
  };
  const { isGood, reads } = await snapshots('open-');
  expect(isGood).toBe(true);
  expect(reads.map(({ namespace }) => namespace.split('.')[0]).sort()).toEqual(
    SERVICES.map((service) => `cord_${service}`).sort(),
  );
  expect(reads.filter(({ concern }) => concern.atClusterTime === undefined)).toHaveLength(1);
  expect(await snapshots('closed-', 'cord_tasks')).toMatchObject({
    isGood: false,
    found: expect.stringContaining('cord_tasks'),
  });
});

test('a clock that is an hour off fails its check', async () => {
  expect(await verdicts(() => Date.now() - HOUR_MS)).toMatchObject({ clock: false });
});

test('an unreachable store gives one message without the password', async () => {
  const address = 'mongodb://jobs:secret-word@127.0.0.1:1/';
  const refused = await examine(address, { withinMs: 500 }).catch((error: Error) => error.message);
  expect(refused).toMatch(/^no response from MONGODB_URI within 0.5 s/);
  expect(refused).not.toContain('secret-word');
});
