import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, dayStartMs } from '@cord/contracts/rules/days';
import type { Document } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cord } from '../test/kit/cord.js';
import { alwaysOn } from './test/always-on.js';
import { openHalted } from './test/system.js';

const USERS = 30;
const DAYS = 3;
const env = { ...process.env, MONGODB_URI: undefined, CORD_DATA: undefined, SOLANA_RPC_URL: undefined };
const id = (n: number) => n.toString(16).padStart(32, '0') as never;

let dataDir: string;
let store: Awaited<ReturnType<typeof openHalted>>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cord-audit-'));
  await mkdir(join(dataDir, 'store'));
  store = await openHalted(dataDir);
  const put = (service: string, name: string, documents: object[]) =>
    documents.length > 0
      ? store
          .databaseOf(service)
          .collection(name)
          .insertMany(documents as Document[])
      : null;
  const source = alwaysOn({ users: USERS, days: DAYS, startMs: dayStartMs(Date.now()) - DAYS * DAY_MS });
  for await (const { account, user, streak, days, entries } of source.users()) {
    const own = [];
    for await (const entry of entries) own.push(entry);
    await put('mining', 'accounts', [account as object]);
    await put('mining', 'entries', own);
    await put('mining', 'days', days);
    await put('auth', 'users', [user as object]);
    await put('tasks', 'streaks', [streak as object]);
  }
  // As created by the migration; the audit reads by it.
  await store.databaseOf('mining').collection('entries').createIndex({ userId: 1, seq: -1 }, { unique: true });
  await store.close();
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function audit(more: NodeJS.ProcessEnv = {}) {
  const printed = await cord(['audit', '--data', dataDir], { ...env, ...more });
  return { ...printed, last: printed.stdout.trimEnd().split('\n').at(-1) };
}

describe('npx cord audit', () => {
  test('of a consistent stopped system exits with 0, and prints that the chain was not read', async () => {
    const printed = await audit();
    const last = `RESULT drift_micro=0 accounts=${USERS} findings=0`;
    expect(printed).toMatchObject({ code: 0, last, stderr: '' });
    expect(printed.stdout).toContain(`${USERS} accounts, ${USERS * (1 + DAYS * 49)} entries\n`);
    expect(printed.stdout).toContain('the chain was not read: SOLANA_RPC_URL is not set');
  });

  test('reads no chain if its address is empty, and exits with 2 if the file of the address is unreadable', async () => {
    const file = join(dataDir, 'rpc-url');
    await writeFile(file, '\n');
    expect((await audit({ SOLANA_RPC_URL_FILE: file })).stdout).toContain('the chain was not read');
    expect(await audit({ SOLANA_RPC_URL_FILE: join(dataDir, 'none') })).toMatchObject({
      code: 2,
      stderr: 'audit: SOLANA_RPC_URL_FILE names a file that cannot be read.\n',
    });
  });

  test('reads no store if the file of its address is unreadable', async () => {
    expect(await audit({ MONGODB_URI_FILE: join(dataDir, 'none') })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'audit: MONGODB_URI_FILE names a file that cannot be read.\n',
    });
  });

  describe('of a running system', () => {
    beforeAll(async () => {
      store = await openHalted(dataDir);
      const services = { mining: [{ pid: process.pid, startedAt: null }] };
      const run = { origin: 'http://localhost:1', mongodbUri: store.uri, services };
      await writeFile(join(dataDir, 'run.json'), JSON.stringify(run));
    });

    test('finds the store, prints the first broken entry of each account and other faults, and exits with 1', async () => {
      const mining = store.databaseOf('mining');
      // Every other entry of mining: welcome and the first check-in have seq 3 and 5, and a day has 49 entries.
      const broken = Array.from({ length: DAYS * 24 }, (_, n) => BigInt(7 + 98 * Math.floor(n / 24) + 4 * (n % 24)));
      for (const userId of [id(7), id(9)])
        await mining
          .collection('entries')
          .updateMany({ userId, seq: { $in: broken } }, { $inc: { balanceMicro: 1_000_000n } });
      await mining.collection('accounts').updateOne({ _id: id(20) }, { $inc: { balanceMicro: 5n } });
      // Mining, whose metrics show the age of the audit, uses the clock of the data folder.
      const HOUR_MS = 3_600_000;
      await writeFile(join(dataDir, 'clock.json'), JSON.stringify({ offsetMs: HOUR_MS }));
      const beganMs = Date.now();
      const printed = await audit();
      expect(printed).toMatchObject({ code: 1 });
      expect(printed.stdout).toContain('auditing the running system at http://localhost:1\n');
      expect(printed.last).toMatch(new RegExp(`^RESULT drift_micro=\\d+ accounts=${USERS} findings=3$`));
      for (const userId of [id(7), id(9)])
        expect(printed.stdout).toMatch(
          new RegExp(
            `^account ${userId}: entry mining:${userId}:7 \\(seq 7\\): balance after it is \\d+, .*; and 143 more`,
            'm',
          ),
        );
      expect(printed.stdout).toMatch(
        new RegExp(`^account ${id(20)}: balance \\d+, entries and open sum to \\d+$`, 'm'),
      );
      const kept = await mining.collection<{ _id: string; atMs: number }>('audits').findOne({ _id: 'last' });
      expect(kept).toMatchObject({ accounts: USERS, findings: 3 });
      expect(kept?.atMs).toBeGreaterThanOrEqual(beganMs + HOUR_MS);
    });

    test('exits with 2 and names a document of a newer release', async () => {
      await store
        .databaseOf('mining')
        .collection('entries')
        .updateOne({ _id: `welcome:${id(3)}` as never }, { $set: { schemaVersion: 99 } });
      const printed = await audit();
      expect(printed).toMatchObject({ code: 2 });
      expect(printed.stderr).toMatch(new RegExp(`^audit: entries welcome:${id(3)}: .* is of schema 99`));
    });
  });
});
