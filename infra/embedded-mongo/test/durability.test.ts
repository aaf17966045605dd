import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MongoClient } from './harness.js';
import { build, startProcess } from './server-process.js';
import { verifyFolder } from './verify-indexes.js';

/*
 * The server is killed with signal 9 while 64 writers run; every write that was acknowledged must be there afterwards, and
 * every index must agree with its documents. A killed process leaves its written pages to the kernel, so this alone shows
 * nothing about a power cut: sync-count.test.ts looks at that side.
 */
const ROUNDS = process.env.PROOF === '1' ? 30 : 6;
const WORKERS = 64;
let folder: string;

beforeAll(async () => {
  await build();
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-kill-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Account = { _id: string; seq: number; tags: string[]; email: string };
type Accounts = ReturnType<ReturnType<InstanceType<typeof MongoClient>['db']>['collection']>;

/** What the acknowledgements so far promise: the seq of each id, and the ids that were deleted. */
interface Promised {
  seqs: Map<string, number>;
  deleted: Set<string>;
  acknowledged: number;
}

/** One writer: inserts, compare-and-set updates and deletes, each noted once its answer is there, until the server is gone. */
async function write(accounts: Accounts, id: string, promised: Promised): Promise<void> {
  const note = (change: () => void): void => {
    change();
    promised.acknowledged++;
  };
  const insert = async (one: string): Promise<void> => {
    await accounts.insertOne({ _id: one as never, seq: 0, tags: [one, 'g'], email: one });
    note(() => promised.seqs.set(one, 0));
  };
  await insert(id);
  for (let seq = 0; ; seq++) {
    const update = { $inc: { seq: 1 }, $set: { tags: [id, `s${seq % 11}`], email: `${id}.${seq}@x` } };
    const changed = await accounts.findOneAndUpdate({ _id: id as never, seq }, update, { returnDocument: 'after' });
    note(() => promised.seqs.set(id, changed?.seq ?? Number.NaN));
    if (seq % 5 !== 4) continue;
    const extra = `${id}-${seq}`;
    await insert(extra);
    if (seq % 10 !== 9) continue;
    promised.seqs.delete(extra);
    await accounts.deleteOne({ _id: extra as never });
    note(() => promised.deleted.add(extra));
  }
}

/** One round: start, load, kill in the midst of it, at another moment each round. */
async function killUnderLoad(round: number, promised: Promised): Promise<void> {
  const server = await startProcess(folder);
  const client = new MongoClient(server.uri, { maxPoolSize: WORKERS, serverSelectionTimeoutMS: 20_000 });
  const accounts = client.db('durability').collection('accounts');
  const enough = promised.acknowledged + 150 + round * 10;
  const writers = Array.from({ length: WORKERS }, (_, worker) =>
    write(accounts, `r${round}-${worker}`, promised).catch((error: Error) => error),
  );
  let isOver = false;
  const ended = Promise.all(writers).finally(() => {
    isOver = true;
  });
  while (promised.acknowledged < enough && !isOver) await new Promise((resolve) => setTimeout(resolve, 2));
  server.child.kill('SIGKILL');
  await server.exited;
  await client.close(true);
  for (const error of await ended) {
    // A writer ends because its server is gone, and for no other reason: the driver reports it, or, while it waits for the
    // socket to drain, the socket itself.
    const { name, code = '' } = error as Error & { code?: string };
    expect(`${name} ${code}`).toMatch(
      /^Mongo(Network|ClientClosed|ServerSelection|PoolCleared|TopologyClosed|NotConnected)\w*Error |^Error (ECONNRESET|ECONNREFUSED|EPIPE)$/,
    );
  }
}

describe('the store after kill -9 under load', () => {
  it(`has every acknowledged write over ${ROUNDS} rounds, and indexes that match the documents`, async () => {
    const first = await startProcess(folder);
    const client = await MongoClient.connect(first.uri);
    await client
      .db('durability')
      .collection('accounts')
      .createIndexes([{ key: { email: 1 }, unique: true }, { key: { tags: 1 } }, { key: { seq: -1, _id: 1 } }]);
    await client.close();
    first.child.kill('SIGTERM');
    expect(await first.exited).toBe(0);

    const promised: Promised = { seqs: new Map(), deleted: new Set(), acknowledged: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      await killUnderLoad(round, promised);
      const verified = await verifyFolder(folder);
      expect(verified.faults).toEqual([]);
      expect(verified.documents).toBeGreaterThanOrEqual(promised.seqs.size);
    }

    const last = await startProcess(folder);
    const reader = await MongoClient.connect(last.uri);
    const found = await reader.db('durability').collection<Account>('accounts').find().toArray();
    const held = new Map(found.map((one) => [one._id, one]));
    const lost = [...promised.seqs].filter(([id, seq]) => (held.get(id)?.seq ?? -1) < seq);
    // A write may have been done without its acknowledgement having arrived, but only the one after the last.
    const tooFar = [...promised.seqs].filter(([id, seq]) => (held.get(id)?.seq ?? 0) > seq + 1);
    const undeleted = [...promised.deleted].filter((id) => held.has(id));
    expect({ lost, tooFar, undeleted }).toEqual({ lost: [], tooFar: [], undeleted: [] });
    expect(promised.acknowledged).toBeGreaterThan(ROUNDS * 150);
    await reader.close();
    last.child.kill('SIGTERM');
    expect(await last.exited).toBe(0);
  });
});

describe('a data folder', () => {
  it('stays locked under another name: one that was renamed while its process runs opens for no second one', async () => {
    const own = await mkdtemp(join(tmpdir(), 'embedded-mongo-moved-'));
    const moved = `${own}-elsewhere`;
    const first = await startProcess(own);
    await rename(own, moved);
    await expect(startProcess(moved)).rejects.toThrow(/is in use by another embedded-mongo process/);
    // The former name is free for a new store.
    const other = await startProcess(own);
    for (const one of [first, other]) one.child.kill('SIGTERM');
    expect(await Promise.all([first.exited, other.exited])).toEqual([0, 0]);
    for (const one of [own, moved]) await rm(one, { recursive: true, force: true });
  });

  it('is locked by one process: a second one fails and names the folder', async () => {
    const own = await mkdtemp(join(tmpdir(), 'embedded-mongo-lock-'));
    const first = await startProcess(own);
    await expect(startProcess(own)).rejects.toThrow(new RegExp(`${own} is in use by another embedded-mongo process`));
    first.child.kill('SIGKILL');
    await first.exited;
    const second = await startProcess(own);
    second.child.kill('SIGTERM');
    expect(await second.exited).toBe(0);
    await rm(own, { recursive: true, force: true });
  });

  it('keeps every write that was acknowledged during a SIGTERM', async () => {
    const own = await mkdtemp(join(tmpdir(), 'embedded-mongo-term-'));
    const server = await startProcess(own);
    const client = await MongoClient.connect(server.uri, { maxPoolSize: 32, serverSelectionTimeoutMS: 1_000 });
    const collection = client.db('term').collection<{ _id: number }>('things');
    await collection.insertOne({ _id: -1 });
    const writes = Array.from({ length: 32 }, (_, n) =>
      collection.insertOne({ _id: n }).then(
        () => n,
        () => undefined,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    server.child.kill('SIGTERM');
    const acknowledged = (await Promise.all(writes)).filter((n) => n !== undefined);
    expect(await server.exited).toBe(0);
    await client.close();
    const again = await startProcess(own);
    const reader = await MongoClient.connect(again.uri);
    const kept = new Set(
      (await reader.db('term').collection<{ _id: number }>('things').find().toArray()).map(({ _id }) => _id),
    );
    expect(acknowledged.filter((n) => !kept.has(n))).toEqual([]);
    await reader.close();
    again.child.kill('SIGTERM');
    await again.exited;
    await rm(own, { recursive: true, force: true });
  });

  it('must be named: an empty --data fails the start', async () => {
    await expect(startProcess('')).rejects.toThrow(/--data/);
  });
});
