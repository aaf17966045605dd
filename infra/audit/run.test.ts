import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const USERS = 1_200;
const run = fileURLToPath(new URL('run.mjs', import.meta.url));
const { storeOf } = await import(new URL('../dev/starter/store-of.mjs', import.meta.url).href);
const env = { ...process.env, MONGODB_URI: undefined, CORD_DATA: undefined };

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cord-audit-'));
  await mkdir(join(dataDir, 'store'));
  await withStore(async (db) => {
    await db.collection<{ _id: string }>('accounts').insertMany(Array.from({ length: USERS }, (_, n) => account(n)));
    await db.collection<{ _id: string }>('entries').insertMany(Array.from({ length: USERS }, (_, n) => entry(n)));
  });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const userId = (n: number) => n.toString(16).padStart(32, '0');

function entry(n: number) {
  const user = userId(n);
  return { _id: `task:a:${user}:once`, userId: user, seq: 2n, source: 'task', amountMicro: 7n, balanceMicro: 7n };
}

function account(n: number) {
  return {
    _id: userId(n),
    seq: 3n,
    balanceMicro: 12n,
    totals: { bySource: { task: 7n, mining: 5n } },
    open: { amountMicro: 5n },
    outbox: [],
  };
}

async function withStore(use: (db: mongoose.mongo.Db, uri: string) => Promise<void>): Promise<void> {
  const store = await storeOf(dataDir, env);
  const client = new mongoose.mongo.MongoClient(store.uri);
  try {
    await use(client.db('cord_mining'), store.uri);
  } finally {
    await client.close();
    await store.close();
  }
}

function audit(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [run, ...args], { env, encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1), stdout, stderr };
}

describe('npm run audit', () => {
  test('says drift 0 of a stopped system whose balances add up', () => {
    expect(audit('--data', dataDir)).toMatchObject({ status: 0, last: `RESULT drift_micro=0 accounts=${USERS}` });
  });

  test('says what is missing, and fails, also of a running system', async () => {
    await withStore(async (db, mongodbUri) => {
      const accounts = db.collection<{ _id: string }>('accounts');
      await accounts.updateOne({ _id: userId(700) }, { $set: { balanceMicro: 1_000_012n } });
      const services = { mining: [{ pid: process.pid, startedAt: null }] };
      await writeFile(
        join(dataDir, 'run.json'),
        JSON.stringify({ origin: 'http://localhost:1', mongodbUri, services }),
      );
      const told = audit('--data', dataDir);
      expect(told).toMatchObject({ status: 1, last: `RESULT drift_micro=1000000 accounts=${USERS}` });
      expect(told.stdout).toContain(`account ${userId(700)}: balance 1000012, entries and open make 12`);
      expect(told.stdout).toContain('the running system at http://localhost:1');
      const kept = await db.collection<{ _id: string }>('audits').findOne({ _id: 'last' });
      expect(kept).toMatchObject({ driftMicro: 1_000_000, accounts: USERS, atMs: expect.any(Number) });
      // What only a newer release reads is no drift, and no balance that adds up.
      await accounts.updateOne({ _id: userId(700) }, { $set: { balanceMicro: 12n, schemaVersion: 9 } });
      const refused = audit('--data', dataDir);
      expect(refused.status).toBe(2);
      expect(refused.stderr).toContain(
        `accounts ${userId(700)}: This account is of schema 9; this release reads up to`,
      );
      await accounts.updateOne({ _id: userId(700) }, { $unset: { schemaVersion: '' } });
      expect(audit('--data', dataDir).status).toBe(0);
    });
    await rm(join(dataDir, 'run.json'));
  }, 60_000);

  test('names a folder without data, and an unknown flag', () => {
    expect(audit('--data', join(dataDir, 'nothing'))).toMatchObject({ status: 2 });
    expect(audit('--data', join(dataDir, 'nothing')).stderr).toContain('there is no CORD data');
    expect(audit('--date', dataDir)).toMatchObject({ status: 2 });
    expect(audit('--date', dataDir).stderr).toContain("'--date'");
  });
});
