import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MongoClient } from './harness.js';
import { startProcess } from './server-process.js';

/* Sync calls counted from outside, by the system's own tracer: what was synced to the disk before a client was answered. */
const hasStrace = spawnSync('strace', ['-V']).status === 0;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-sync-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Times of calls that reached the disk, and of messages sent to clients, in the order of the trace. */
function readTrace(text: string): { syncs: number; order: ('sync' | 'reply')[] } {
  const order: ('sync' | 'reply')[] = [];
  for (const line of text.split('\n')) {
    // A call that was interrupted by another thread's line ends in its own "resumed" line: that is when it was done.
    const isSync = /\b(fdatasync|fsync|msync|sync_file_range)\b/.test(line) && /= 0$/.test(line);
    const isReply = /\b(write|writev|sendto|sendmsg)\(\d+<TCP/.test(line);
    if (isSync) order.push('sync');
    else if (isReply) order.push('reply');
  }
  return { syncs: order.filter((one) => one === 'sync').length, order };
}

/** Runs the server under the tracer, does `work` on it, and gives the trace of that part alone. */
async function traced(
  work: (client: InstanceType<typeof MongoClient>) => Promise<number>,
  name: string,
  connections: number,
): Promise<{ acknowledged: number; syncs: number; order: ('sync' | 'reply')[] }> {
  const file = join(folder, `${name}.trace`);
  const calls = 'trace=openat,fdatasync,fsync,msync,sync_file_range,write,writev,sendto,sendmsg';
  const server = await startProcess(join(folder, name), [
    'strace',
    '-f',
    '-yy',
    '-qq',
    '-s',
    '80',
    '-e',
    calls,
    '-o',
    file,
  ]);
  const client = await MongoClient.connect(server.uri, {
    maxPoolSize: connections,
    heartbeatFrequencyMS: 600_000,
  });
  const collection = client.db('sync').collection<{ _id: number; seq: number }>('accounts');
  await collection.insertMany(Array.from({ length: 64 }, (_, n) => ({ _id: n, seq: 0 })));
  await Promise.all(Array.from({ length: connections }, () => client.db('sync').command({ ping: 1 })));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = readTrace(await readFile(file, 'utf8'));
  const acknowledged = await work(client);
  const after = readTrace(await readFile(file, 'utf8'));
  await client.close();
  // The tracer takes the signal to itself: the server is its child.
  const pid = /^(\d+) /.exec(await readFile(file, 'utf8'))?.[1];
  process.kill(Number(pid), 'SIGTERM');
  await server.exited;
  // A commit ends with its meta page, written through a descriptor that is itself synchronous.
  expect(await readFile(file, 'utf8')).toMatch(/openat\(.*store\.mdb", [A-Z_|]*O_DSYNC/);
  return { acknowledged, syncs: after.syncs - before.syncs, order: after.order.slice(before.order.length) };
}

describe.skipIf(!hasStrace)(
  `sync calls before acknowledgements${hasStrace ? '' : ' (skipped: strace is not installed)'}`,
  () => {
    it('are made for each write of a single writer', async () => {
      const { acknowledged, order } = await traced(
        async (client) => {
          const collection = client.db('sync').collection<{ _id: number; seq: number }>('accounts');
          for (let seq = 0; seq < 50; seq++) await collection.updateOne({ _id: 1, seq }, { $inc: { seq: 1 } });
          return 50;
        },
        'one',
        1,
      );
      let synced = false;
      let answered = 0;
      for (const event of order) {
        if (event === 'sync') synced = true;
        else {
          expect(synced).toBe(true);
          synced = false;
          answered++;
        }
      }
      expect(answered).toBeGreaterThanOrEqual(acknowledged);
    });

    it('are shared by 64 concurrent writers: at most 0.25 per acknowledgement, and more than 0 in all', async () => {
      const { acknowledged, syncs } = await traced(
        async (client) => {
          const collection = client.db('sync').collection<{ _id: number; seq: number }>('accounts');
          const rounds = 30;
          await Promise.all(
            Array.from({ length: 64 }, async (_, id) => {
              for (let seq = 0; seq < rounds; seq++)
                await collection.findOneAndUpdate({ _id: id, seq }, { $inc: { seq: 1 } });
            }),
          );
          return 64 * rounds;
        },
        'many',
        64,
      );
      expect(syncs).toBeGreaterThan(0);
      expect(syncs / acknowledged).toBeLessThanOrEqual(0.25);
      console.log(`syncs per acknowledgement at 64 in flight: ${(syncs / acknowledged).toFixed(3)}`);
    });
  },
);
