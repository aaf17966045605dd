import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, MongoClient } from './harness.js';
import { build, type ServerProcess, startProcess } from './server-process.js';
import { verifyFolder } from './verify-indexes.js';

/*
 * The kernel refuses to make a file longer than a limit of the process: to the store that is a disk which has become full,
 * and one that has room again once the limit is lifted. No right of root is needed, and no file system.
 */
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
const OUT_OF_DISK_SPACE = 14031;
const MIB = 1024 * 1024;

let folder: string;
let running: ServerProcess[] = [];
beforeAll(() => build());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-full-'));
});
afterEach(async () => {
  for (const { child, exited } of running) {
    child.kill('SIGKILL');
    await exited;
  }
  running = [];
  await rm(folder, { recursive: true, force: true });
});

/** A server whose files may grow to `bytes`, and no further until `giveRoom`. */
async function startOnSmallDisk(bytes: number, wrapper: string[] = []): Promise<ServerProcess> {
  const server = await startProcess(folder, [...wrapper, 'prlimit', `--fsize=${bytes}:unlimited`]);
  running.push(server);
  return server;
}

const giveRoom = ({ child }: ServerProcess): void => {
  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited']);
};

/** Inserts in flight while the disk is filled: they share commits. */
const AT_ONCE = 100;

type Item = { _id: number; text: string; tags: string[] };
/** Of most items: few of them fill the disk. */
const ITEM_BYTES = 4_000;
/** Of an item whose text is in an index. */
const SMALL_ITEM_BYTES = 400;
const item = (id: number, bytes = ITEM_BYTES): Item => ({
  _id: id,
  text: `${id}`.padEnd(bytes, 'x'),
  tags: [`t${id}`, 'all'],
});

async function itemsOf(server: ServerProcess) {
  const client = await MongoClient.connect(server.uri, { maxPoolSize: AT_ONCE });
  const items = client.db('full').collection<Item>('items');
  return { client, items };
}

/** Inserts until one is refused; the ids that were acknowledged. */
async function fill(items: Awaited<ReturnType<typeof itemsOf>>['items'], bytes = ITEM_BYTES): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let first = 0; ; first += AT_ONCE) {
    const outcomes = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, place) => first + place).map(async (id) => {
        const code = await codeOf(items.insertOne(item(id, bytes)));
        if (code === 'no error') acknowledged.push(id);
        return code;
      }),
    );
    const refusals = outcomes.filter((code) => code !== 'no error');
    expect(refusals.filter((code) => code !== OUT_OF_DISK_SPACE)).toEqual([]);
    if (refusals.length > 0) return acknowledged;
  }
}

describe.skipIf(!hasLimits)('a full disk (skipped without prlimit)', () => {
  it('rejects writes by name, allows reads and deletes, and writes again into the freed space', async () => {
    const server = await startOnSmallDisk(8 * MIB);
    const { client, items } = await itemsOf(server);
    await items.createIndex({ tags: 1 });
    await items.createIndex({ text: 1 }, { unique: true });
    const acknowledged = await fill(items, SMALL_ITEM_BYTES);
    expect(acknowledged.length).toBeGreaterThan(500);

    const refused = await items.insertOne(item(-1, SMALL_ITEM_BYTES)).catch((error) => error);
    expect(refused).toMatchObject({ code: OUT_OF_DISK_SPACE, codeName: 'OutOfDiskSpace' });
    expect(refused.message).toContain(join(folder, 'store.mdb'));
    expect(await codeOf(items.updateOne({ _id: 0 }, { $set: { text: 'other' } }))).toBe(OUT_OF_DISK_SPACE);
    expect(await codeOf(items.findOneAndUpdate({ _id: 0 }, { $set: { text: 'other' } }))).toBe(OUT_OF_DISK_SPACE);
    expect(await codeOf(items.createIndex({ text: -1 }))).toBe(OUT_OF_DISK_SPACE);
    expect(await codeOf(client.db('full').createCollection('more'))).toBe(OUT_OF_DISK_SPACE);
    expect(await items.countDocuments({ tags: 'all' })).toBe(acknowledged.length);

    const gone = acknowledged.slice(0, acknowledged.length - 100);
    for (let at = 0; at < gone.length; at += 200) await items.deleteMany({ _id: { $in: gone.slice(at, at + 200) } });
    expect(await items.findOneAndDelete({ _id: acknowledged.at(-1) as number })).not.toBeNull();
    expect(await items.countDocuments()).toBe(99);
    expect(await codeOf(items.insertOne(item(1_000_000, SMALL_ITEM_BYTES)))).toBe('no error');
    expect(server.stderr()).toMatch(/store\.mdb is full/);
    expect([server.child.exitCode, server.child.signalCode]).toEqual([null, null]);
    await client.close();
  });

  it('allows reads even if the log is on it', async () => {
    const server = await startOnSmallDisk(8 * MIB, ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh']);
    const { client, items } = await itemsOf(server);
    const acknowledged = await fill(items);
    expect(await items.countDocuments()).toBe(acknowledged.length);
    expect([server.child.exitCode, server.child.signalCode]).toEqual([null, null]);
    await client.close();
  });

  it('allows dropping an index and a collection', async () => {
    const server = await startOnSmallDisk(8 * MIB);
    const { client, items } = await itemsOf(server);
    await items.createIndex({ tags: 1 });
    await fill(items);
    await items.dropIndex('tags_1');
    await items.drop();
    expect(await codeOf(items.insertOne(item(1)))).toBe('no error');
    expect(await items.countDocuments()).toBe(1);
    await client.close();
  });

  it('recovers without a restart once there is space; acknowledged writes and indexes stay intact', async () => {
    const server = await startOnSmallDisk(8 * MIB);
    const { client, items } = await itemsOf(server);
    await items.createIndex({ tags: 1 });
    const first = await fill(items);
    expect(await codeOf(items.insertOne(item(-1)))).toBe(OUT_OF_DISK_SPACE);
    giveRoom(server);
    expect(await codeOf(items.insertOne(item(-1)))).toBe('no error');
    expect((await items.find().toArray()).map(({ _id }) => _id).sort((a, b) => a - b)).toEqual(
      [-1, ...first].sort((a, b) => a - b),
    );
    expect(server.stderr()).toMatch(/has space again/);
    await client.close();
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(await verifyFolder(folder)).toMatchObject({ documents: first.length + 1, faults: [] });
  });

  it('rolls back a failed commit completely, in memory and on disk', async () => {
    const server = await startOnSmallDisk(8 * MIB);
    const { client, items } = await itemsOf(server);
    await items.insertMany([item(1), item(2)]);
    const large = { ...item(3, 12 * MIB) };
    // A new collection, an index that learns of arrays and a document, all in commits that fail.
    expect(await codeOf(client.db('full').collection<Item>('born').insertOne(large))).toBe(OUT_OF_DISK_SPACE);
    expect(await codeOf(items.insertOne(large))).toBe(OUT_OF_DISK_SPACE);
    expect((await client.db('full').listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)).toEqual(
      ['items'],
    );
    expect(await items.estimatedDocumentCount()).toBe(2);
    expect(await codeOf(items.insertOne(item(3)))).toBe('no error');
    expect(await codeOf(client.db('full').collection<Item>('born').insertOne(item(1)))).toBe('no error');
    expect(
      await items
        .find()
        .sort({ _id: 1 })
        .map(({ _id }) => _id)
        .toArray(),
    ).toEqual([1, 2, 3]);
    giveRoom(server);
    expect(await codeOf(items.insertOne({ ...large, _id: 4 }))).toBe('no error');
    await client.close();
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    expect(await verifyFolder(folder)).toMatchObject({ documents: 5, faults: [] });
  });

  it('allows a start, reads and deletes', async () => {
    const before = await startOnSmallDisk(8 * MIB);
    const filled = await itemsOf(before);
    const acknowledged = await fill(filled.items);
    await filled.client.close();
    before.child.kill('SIGKILL');
    await before.exited;

    const server = await startOnSmallDisk(8 * MIB);
    const { client, items } = await itemsOf(server);
    expect(await items.countDocuments()).toBe(acknowledged.length);
    expect(await codeOf(items.insertOne(item(-1)))).toBe(OUT_OF_DISK_SPACE);
    expect((await items.deleteMany({ _id: { $gte: 100 } })).deletedCount).toBe(acknowledged.length - 100);
    expect(await codeOf(items.insertOne(item(-1)))).toBe('no error');
    await client.close();
  });
});
