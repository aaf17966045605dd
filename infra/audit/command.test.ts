import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS, dayStartMs } from '@cord/contracts/rules/days';
import type { Document, mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alwaysOn } from './test/always-on.js';
import { openHalted } from './test/system.js';

const USERS = 30;
const DAYS = 3;
const cord = fileURLToPath(new URL('../cli/cord.mjs', import.meta.url));
const env = { ...process.env, MONGODB_URI: undefined, CORD_DATA: undefined, SOLANA_RPC_URL: undefined };
const id = (n: number) => n.toString(16).padStart(32, '0') as never;

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'cord-audit-'));
  await mkdir(join(dataDir, 'store'));
  await withStore(async (databaseOf) => {
    const put = (service: string, name: string, documents: object[]) =>
      documents.length > 0
        ? databaseOf(service)
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
    // As the migration makes it: the audit reads by it.
    await databaseOf('mining').collection('entries').createIndex({ userId: 1, seq: -1 }, { unique: true });
  });
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function withStore(
  use: (databaseOf: (service: string) => mongo.Db, uri: string) => Promise<unknown>,
): Promise<void> {
  const store = await openHalted(dataDir);
  try {
    await use(store.databaseOf, store.uri);
  } finally {
    await store.close();
  }
}

function audit(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cord, 'audit', ...args], { env, encoding: 'utf8' });
  return { status, last: stdout.trimEnd().split('\n').at(-1), stdout, stderr };
}

describe('npx cord audit', () => {
  test('of a stopped system whose books hold ends with 0, and prints that the chain was not read', () => {
    const printed = audit('--data', dataDir);
    const last = `RESULT drift_micro=0 accounts=${USERS} findings=0`;
    expect(printed).toMatchObject({ status: 0, last, stderr: '' });
    expect(printed.stdout).toContain(`${USERS} accounts, ${USERS * (1 + DAYS * 49)} entries\n`);
    expect(printed.stdout).toContain('the chain was not read: SOLANA_RPC_URL is not set');
  });

  test('names the first broken entry of each account and what else is wrong, and ends with 1', async () => {
    await withStore(async (databaseOf) => {
      const entries = databaseOf('mining').collection('entries');
      for (const userId of [id(7), id(9)])
        await entries.updateMany({ userId, source: 'mining' }, { $inc: { balanceMicro: 1_000_000n } });
      await databaseOf('mining')
        .collection('accounts')
        .updateOne({ _id: id(20) }, { $inc: { balanceMicro: 5n } });
    });
    const printed = audit('--data', dataDir);
    expect(printed).toMatchObject({ status: 1 });
    expect(printed.last).toMatch(new RegExp(`^RESULT drift_micro=\\d+ accounts=${USERS} findings=3$`));
    for (const userId of [id(7), id(9)])
      expect(printed.stdout).toMatch(
        new RegExp(
          `^account ${userId}: entry mining:${userId}:7 \\(seq 7\\): balance after it is \\d+, .*; and 143 more`,
          'm',
        ),
      );
    expect(printed.stdout).toMatch(new RegExp(`^account ${id(20)}: balance \\d+, entries and open make \\d+$`, 'm'));
    await withStore(async (databaseOf) => {
      const kept = await databaseOf('mining').collection<{ _id: string }>('audits').findOne({ _id: 'last' });
      expect(kept).toMatchObject({ accounts: USERS, findings: 3 });
    });
  });

  test('finds the store of a running system', async () => {
    const runFile = join(dataDir, 'run.json');
    await withStore(async (_, mongodbUri) => {
      const services = { mining: [{ pid: process.pid, startedAt: null }] };
      await writeFile(runFile, JSON.stringify({ origin: 'http://localhost:1', mongodbUri, services }));
      expect(audit('--data', dataDir).stdout).toContain('auditing the running system at http://localhost:1\n');
    });
    await rm(runFile);
  });

  test('of a document of a newer release ends with 2 and the name of it', async () => {
    await withStore((databaseOf) =>
      databaseOf('mining')
        .collection('entries')
        .updateOne({ _id: `welcome:${id(3)}` as never }, { $set: { schemaVersion: 99 } }),
    );
    const printed = audit('--data', dataDir);
    expect(printed).toMatchObject({ status: 2 });
    expect(printed.stderr).toMatch(new RegExp(`^audit: entries welcome:${id(3)}: .* is of schema 99`));
  });
});
