import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NOBODY } from '@cord/contracts/events/envelope';
import { readLogRecord } from '@cord/contracts/proof/records';
import { type EmbeddedMongo, startEmbeddedMongo } from '@cord/embedded-mongo';
import { AUDIT_LOG } from '@cord/kit/audit-log';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { type Connection, createConnection } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeRoot } from '../../services/mining/roots/job.ts';
import { logKey } from '../../services/mining/roots/key.ts';
import { checkpointLines } from '../../services/mining/roots/memo.ts';
import { newestLog } from '../../services/mining/roots/store.ts';
import { createLedgerStore } from '../../services/mining/store/ledger-store.ts';
import { account, FIRST_MS } from '../../services/mining/test/roots.ts';
import { run as cord } from './in-process.ts';

/* `cord log begin` and `cord log continue` on the data of a stopped system. */

const CORD = fileURLToPath(new URL('cord.mjs', import.meta.url));
const place = forAllTests(scratch);
let server: EmbeddedMongo;
let connection: Connection;

beforeAll(async () => {
  server = await startEmbeddedMongo({ port: 0, dataDir: join(place.folder, 'store') });
  connection = await createConnection(server.uri, { dbName: 'cord_mining', useBigInt64: true }).asPromise();
  await createLedgerStore(connection).insert(account(1));
});
afterAll(async () => {
  await connection?.close();
  await server?.close();
});

const named = () => ({ MONGODB_URI: server.uri, CORD_DATA: place.folder });
const refused = (...args: string[]) => cord(['log', 'begin', ...args], named());
const goOn = (...args: string[]) => cord(['log', 'continue', ...args], named());
const mark = (records: number) => connection.collection('root_log').insertOne({ _id: 'restored' as never, records });
const begin = (...args: string[]) => {
  const env = { ...process.env, ...named(), NATS_URL: undefined };
  return promisify(execFile)(process.execPath, [CORD, 'log', 'begin', ...args], { env });
};
const run = async () => {
  const parts = { keys: [logKey('k'.repeat(64))], origin: 'cord.example/ledger', rules: () => none, verifier: none };
  await makeRoot({ ...parts, store: await newestLog(connection) }, FIRST_MS, async () => true);
};
const none = Buffer.alloc(32).toString('base64');

test('log continue confirms a restored log, log begin starts a new one; invalid calls are rejected, acts are audited', async () => {
  expect(await refused('--reason', 'Why')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no signed checkpoint'),
  });
  // A backup from before the first root has no checkpoint to give.
  await mark(0);
  await expect(run()).rejects.toThrow('the log came out of a backup');
  expect(await goOn()).toMatchObject({ status: 1, stderr: expect.stringContaining('--checkpoint FILE is missing') });
  expect(await goOn('--none')).toMatchObject({ status: 0, stdout: expect.stringContaining('The log continues.') });
  await run();
  expect(await refused('--reason', 'a\nb')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('the reason is no line'),
  });
  const missing = join(place.folder, 'missing');
  expect(await refused('--reason', 'Why', '--checkpoint', missing)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('--checkpoint: ENOENT'),
  });
  const [lines, file] = [
    checkpointLines((await (await newestLog(connection)).headOf(1)) ?? {}),
    join(place.folder, 'lines'),
  ];
  await writeFile(file, lines);
  // A log from a backup is continued once, after the newest checkpoint that users have.
  await mark(1);
  expect(await goOn('--none', '--checkpoint', file)).toMatchObject({ status: 1 });
  expect(await goOn('--checkpoint', missing)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('--checkpoint: ENOENT'),
  });
  await expect(run()).rejects.toThrow('the log came out of a backup');
  expect(await goOn('--checkpoint', file)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('The log continues.'),
  });
  expect(await goOn('--checkpoint', file)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('without this command'),
  });
  const begun = await begin('--reason', 'Die Datenbank war zu alt', '--checkpoint', file);
  expect(begun).toMatchObject({ stderr: '' });
  const [text = ''] = begun.stdout.split('\n\n');
  expect(readLogRecord(`${text}\n`)).toMatchObject({
    origin: 'cord.example/ledger/2',
    reason: 'Die Datenbank war zu alt',
  });
  expect(await refused('--reason', 'Why')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('was begun at'),
  });
  // The audit log shows who did it and why; refusals are not acts.
  const acts = await AUDIT_LOG.in(connection).find().toArray();
  const detail = {
    ...{ before: 'cord.example/ledger', after: 'cord.example/ledger/2' },
    ...{ reason: 'Die Datenbank war zu alt', by: userInfo().username },
  };
  const { by } = detail;
  expect(acts).toMatchObject([
    { adminId: NOBODY, action: 'log.continue', target: '', detail: { size: 0, by } },
    { adminId: NOBODY, action: 'log.continue', target: 'cord.example/ledger', detail: { size: 1, by } },
    { adminId: NOBODY, action: 'log.begin', target: 'cord.example/ledger/2', detail },
  ]);
  await run();
  const store = await newestLog(connection);
  expect((await store.records()).map(({ day }) => day)).toEqual(['', '2026-11-25']);
  expect(checkpointLines((await store.lastHead()) ?? {})).toMatch(/^cord\.example\/ledger\/2\n2\n/);
});
