import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { chainStart } from './chain.js';
import { bundleBytes } from './log-tree.js';
import { MEMO_PROGRAM } from './memos.js';
import { readCheckpoint } from './note.js';
import { keyRecordText, logRecordText } from './records.js';
import { made, proof, remade, sha256 } from './test/frauds.js';
import { DAY, entriesOf, leafOf, logOf, newKey, pastRecord } from './test/sample.js';
import type { ProofFile } from './verify.js';
import { verifyFile } from './verify-file.js';

/* The command against the log at its address and the memos at a node of Solana, both as `fetch` answers. */

const LOG = 'https://cord.example/api/log';
const RPC = 'https://solana.example/';
const SIGNER = 'S'.repeat(44);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cord-verify-file-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function base58(text: string): string {
  let [rest, found] = [BigInt(`0x${Buffer.from(text).toString('hex')}`), ''];
  for (; rest > 0n; rest /= 58n) found = `${BASE58[Number(rest % 58n)]}${found}`;
  return found;
}

/** Returns the output of `verify.mjs FILE` when the log has some records and Solana some memos. */
async function printed(
  {
    records = made.log.records,
    memos = [] as string[],
    firstAt = '',
    servedMax = Number.POSITIVE_INFINITY,
    status = 'finalized',
    tlog = proof().tlog,
    checkpoint = made.log.checkpoint,
    own = proof(),
    before = null as unknown,
  },
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const file = join(folder, 'proof.json');
  await writeFile(file, JSON.stringify({ ...own, tlog }));
  const kept = join(folder, 'before.json');
  await writeFile(kept, JSON.stringify(before));
  vi.stubGlobal('fetch', async (url: string, how: { body?: string }) => {
    if (url === RPC) {
      const { method, params } = JSON.parse(how.body ?? '') as { method: string; params: [string] };
      if (firstAt !== '' && method === 'getFirstAvailableBlock') return Response.json({ result: 7 });
      if (method === 'getBlockTime') return Response.json({ result: Date.parse(firstAt) / 1_000 });
      const data = method === 'getTransaction' ? base58(memos[Number(params[0])] ?? '') : '';
      const message = { accountKeys: [SIGNER, MEMO_PROGRAM], instructions: [{ programIdIndex: 1, data }] };
      const lines = memos.map((_, at) => ({ signature: String(at), err: null, confirmationStatus: status }));
      const transaction = { slot: 1, meta: { err: null }, transaction: { message } };
      return Response.json({ result: method === 'getTransaction' ? transaction : lines });
    }
    if (url === `${LOG}/checkpoint`) return new Response(checkpoint);
    const width = /^https:\/\/cord\.example\/api\/log\/tile\/entries\/000\.p\/(\d+)$/.exec(url)?.[1];
    if (!width || Number(width) > servedMax) return new Response(null, { status: 404 });
    return new Response(Buffer.from(bundleBytes(records.slice(0, Number(width)))));
  });
  const write = (stream: NodeJS.WriteStream) => vi.spyOn(stream, 'write').mockReturnValue(true);
  const [out, err] = [write(process.stdout), write(process.stderr)];
  const ofBefore = before === null ? [] : ['--before', kept];
  const code = await verifyFile([file, '--vkey', made.key.vkey, ...ofBefore, ...args]);
  const [stdout = '', stderr = ''] = [out, err].map((spy) => spy.mock.calls.map(([text]) => String(text)).join(''));
  vi.restoreAllMocks();
  // The output begins with the account and the day.
  const whose = stdout.startsWith('OK ') ? `Account ${own.account}, day ${own.leaf.day}.\n` : '';
  expect(stderr.startsWith(whose), stderr).toBe(true);
  return { code, stdout, stderr: stderr.slice(whose.length) };
}

const ofSolana = ['--rpc', RPC, '--memo-signer', SIGNER];
const earlier = logOf(made.past, made.key).text;
const forked = logOf([pastRecord('2026-01-01'), ...made.past.slice(1)], made.key).text;

test('the records of the log yield the checkpoint of the file, and continue every memo up to it', async () => {
  const memos = [made.log.text, earlier];
  expect(await printed({ memos }, '--log', `${LOG}/`, ...ofSolana)).toMatchObject({ code: 0, stderr: '' });
  expect(await printed({ memos: [made.log.text, forked] }, '--log', LOG, ...ofSolana)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH log: the log of size 11 does not go on from the one of size 10\n' },
  });
  expect(await printed({ records: made.log.records.slice(1) }, '--log', LOG)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH log: 10 records do not make the root of size 11\n' },
  });
});

test('memos that are newer, or without the address of the log, are reported as not compared', async () => {
  const newer = logOf([...made.past, made.day.record, pastRecord('2026-11-27')], made.key).text;
  expect(await printed({ memos: [made.log.text, forked] }, ...ofSolana)).toMatchObject({
    ...{ code: 0, stderr: '1 other memos of this log were not compared: give its address with --log.\n' },
  });
  expect(await printed({ memos: [newer, made.log.text] }, '--log', LOG, ...ofSolana)).toMatchObject({
    ...{ code: 0, stderr: '1 other memos of this log were not compared: they are newer than the file.\n' },
  });
});

test('a file without its own memo holds by a later one when the log contains the root of the file', async () => {
  const next = pastRecord('2026-11-27');
  const after = logOf([...made.past, made.day.record, next], made.key);
  const more = pastRecord('2026-11-28');
  const log = { records: logOf([...made.past, made.day.record, next, more], made.key).records };
  const ofLog = ['--log', LOG, ...ofSolana];
  expect(await printed({ ...log, memos: [after.text, earlier] }, ...ofLog)).toMatchObject({ code: 0, stderr: '' });
  expect(await printed({ memos: [after.text, earlier] }, ...ofSolana)).toMatchObject({
    ...{ code: 1, stdout: expect.stringMatching(/^OK /) },
    stderr:
      'The checkpoint of the file is not on Solana (later memos exist): give the address of the log with --log.\n',
  });
  // No later memo exists, or it is not final.
  const none = { code: 1, stdout: 'MISMATCH memo: no memo of the known signer has its text\n' };
  expect(await printed({ ...log, memos: [earlier] }, ...ofLog)).toMatchObject(none);
  expect(await printed({ ...log, memos: [after.text], status: 'confirmed' }, ...ofLog)).toMatchObject(none);
  // The later memo belongs to a log with another record in place of the file's.
  const other = logOf([...made.past, pastRecord('2026-11-26'), next], made.key);
  expect(await printed({ ...log, memos: [other.text] }, ...ofLog)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH log: 12 records do not make the root of size 12\n' },
  });
  expect(await printed({ records: other.records, memos: [other.text] }, ...ofLog)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH log: the log of size 12 does not go on from the one of size 11\n' },
  });
});

test('a Solana node without data as old as the file proves nothing, but is no mismatch', async () => {
  expect(await printed({ firstAt: '2026-11-27T00:00:01Z' }, ...ofSolana)).toMatchObject({
    ...{ code: 1, stdout: expect.stringMatching(/^OK /) },
    stderr: 'The node of Solana keeps nothing from before 2026-11-27T00:00:01.000Z: give one that has all of it.\n',
  });
  const none = { code: 1, stdout: 'MISMATCH memo: no memo of the known signer has its text\n' };
  expect(await printed({ firstAt: '2026-11-27T00:00:00Z' }, ...ofSolana)).toMatchObject(none);
  // What it does show still counts.
  const other = logOf([pastRecord('2026-01-01'), ...made.past.slice(1), made.day.record], made.key).text;
  expect(await printed({ firstAt: '2026-11-28T00:00:00Z', memos: [other] }, ...ofSolana)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH memo: there are two memos of the size 11\n' },
  });
});

test('a file of a day that has just ended is no mismatch while its memo is missing or not final', async () => {
  const at = (time: string) => vi.useFakeTimers({ now: Date.parse(time), toFake: ['Date'] });
  const pending = {
    ...{ code: 1, stdout: expect.stringMatching(/^OK /) },
    stderr:
      'The checkpoint of the file is not final on Solana yet: its day has ended less than an hour ago. Check it again later.\n',
  };
  at('2026-11-27T00:59:59.999Z');
  expect(await printed({ memos: [earlier] }, ...ofSolana)).toMatchObject(pending);
  expect(await printed({ memos: [made.log.text], status: 'confirmed' }, ...ofSolana)).toMatchObject(pending);
  // A second text of its size is a mismatch at any time, and so is a log that does not match.
  const other = logOf([pastRecord('2026-01-01'), ...made.past.slice(1), made.day.record], made.key).text;
  expect((await printed({ memos: [other] }, ...ofSolana)).stdout).toBe(
    'MISMATCH memo: there are two memos of the size 11\n',
  );
  const short = { memos: [earlier], records: made.log.records.slice(1) };
  expect((await printed(short, '--log', LOG, ...ofSolana)).stdout).toMatch(/^MISMATCH log: /);
  at('2026-11-27T01:00:00Z');
  for (const what of [{ memos: [earlier] }, { memos: [made.log.text], status: 'confirmed' }])
    expect((await printed(what, ...ofSolana)).stdout).toMatch(/^MISMATCH memo: /);
});

test('two roots of a day are found in the log, which no single file shows', async () => {
  const log = logOf([...made.past, made.day.record, pastRecord('2026-11-26')], made.key);
  const file = { tlog: log.tlogOf(10), records: log.records };
  expect(await printed(file)).toMatchObject({ code: 0 });
  expect(await printed(file, '--log', LOG)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH log: there are two records of 2026-11-26\n' },
  });
});

test('a log that shrank below the file is a mismatch; an old checkpoint alone is not', async () => {
  const checkpoint = logOf(made.past, made.key).checkpoint;
  expect(await printed({ checkpoint }, '--log', LOG)).toMatchObject({ code: 0, stderr: '' });
  expect(await printed({ checkpoint, servedMax: 10 }, '--log', LOG)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH log: the log shrank from 11 to 10\n', stderr: '' },
  });
  // A log that does not answer is none.
  expect(await printed({ servedMax: 10 }, '--log', LOG)).toMatchObject({
    ...{ code: 1, stderr: 'tile/entries/000.p/11 of the log answered 404\n' },
  });
});

test('the log must be signed by the key of its last key record, not by one that was rotated out', async () => {
  const next = newKey();
  const all = [...made.past, keyRecordText({ vkey: next.vkey, from: 11 }), made.day.record];
  const by = (key: typeof next) => {
    const log = logOf(all, key);
    return { records: log.records, checkpoint: log.checkpoint, tlog: log.tlogOf(11) };
  };
  expect(await printed(by(next), '--vkey', next.vkey, '--log', LOG)).toMatchObject({ code: 0, stderr: '' });
  const refused = { code: 1, stdout: 'MISMATCH log: the key of its last record of a key has not signed\n' };
  expect(await printed(by(made.key), '--vkey', next.vkey, '--log', LOG)).toMatchObject(refused);
  // A key record of an unknown key.
  expect(await printed(by(made.key), '--log', LOG)).toMatchObject(refused);
});

test('a file of an ended log holds, and the log begun after it is reported as another one', async () => {
  const origin = 'cord.example/ledger/2';
  const checkpoint = made.log.checkpoint.replaceAll('cord.example/ledger', origin);
  const begunAfter = (text: string) =>
    logRecordText({ origin, before: [readCheckpoint(text) as never], atMs: 0, reason: 'The store was lost' });
  const anew = (text: string) => ({ checkpoint, records: [Buffer.from(begunAfter(text))] });
  expect(await printed(anew(made.log.text), '--log', LOG)).toMatchObject({
    ...{ code: 1, stdout: expect.stringMatching(/^OK /) },
    stderr: `The log at this address is another one, begun anew at 1970-01-01T00:00:00.000Z: The store was lost. The records of cord.example/ledger were not compared; ${LOG}/keys has its keys as "former".\n`,
  });
  const fork =
    'MISMATCH log: the one at this address is cord.example/ledger/2, which does not name cord.example/ledger as before it\n';
  for (const one of [anew(earlier), { checkpoint }])
    expect(await printed(one, '--log', LOG)).toMatchObject({ code: 1, stdout: fork });
});

test('a newer file of an account without entries must begin with the balance of the earlier one', async () => {
  const { account } = proof();
  const without = (opened: ProofFile['opened'], day: string) => {
    const head = chainStart(sha256, account, opened);
    const leaf = { ...leafOf(account, [], day), head, sum: opened?.balance ?? '0' };
    return remade({ ...proof(), opened, entries: [] }, leaf);
  };
  const own = without({ seq: '9', balance: '7' }, '2026-11-27');
  const { tlog } = own;
  for (const opened of [null, { seq: '9', balance: '5' }])
    expect(await printed({ own, tlog, before: without(opened, DAY) })).toMatchObject({
      ...{ code: 1, stdout: 'MISMATCH entry 1: the chain before it is not the one that was seen before\n' },
    });
  expect(await printed({ own, tlog, before: without(own.opened, DAY) })).toMatchObject({ code: 0 });
});

test('a newer file must begin with the entries of an earlier one, and the log must continue', async () => {
  const before = proof();
  const more = entriesOf(before.account, before.entries.length + 2);
  const leafOfNext = (entries: typeof more) => leafOf(before.account, entries, '2026-11-27');
  const next = (entries: typeof more) => {
    const own = remade({ ...before, entries }, leafOfNext(entries));
    const log = logOf([...made.past, made.day.record, own.record], made.key);
    return { own, before, tlog: log.tlogOf(11), records: log.records, checkpoint: log.checkpoint };
  };
  expect(await printed(next(more), '--log', LOG)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^OK /) });
  expect(await printed({ before })).toMatchObject({ code: 0, stderr: '' });
  // The key's holder has remade all hashes, the leaf and the root.
  const rewritten = entriesOf(before.account, more.length, ({ n }) => (n === '3' ? { reason: 'Other' } : {}));
  expect(await printed(next(rewritten))).toMatchObject({
    ...{ code: 1, stdout: `MISMATCH entry ${before.leaf.n}: it is not the entry that was seen before\n` },
  });
  const fewer = entriesOf(before.account, 2);
  expect(await printed(next(fewer))).toMatchObject({
    ...{ code: 1, stdout: `MISMATCH entry 3: ${before.leaf.n} entries were seen before, 2 are left\n` },
  });
  // From a day in another log with the same entries.
  const forked = logOf([pastRecord('2026-01-01'), ...made.past.slice(1), made.day.record], made.key).tlogOf(10);
  expect(await printed({ before: { ...before, tlog: forked } }, '--log', LOG)).toMatchObject({
    ...{ code: 1, stdout: 'MISMATCH log: there are two roots of the size 11\n' },
  });
  expect(await printed({ before: made.proofOf(3) })).toMatchObject({
    ...{ code: 1, stdout: `MISMATCH file: it is of account ${before.account}, not of ${made.proofOf(3).account}\n` },
  });
  expect(await printed({ before: { ...before, index: 3 } })).toMatchObject({
    ...{ code: 1, stdout: '', stderr: expect.stringMatching(/^The file of before: MISMATCH tree: /) },
  });
});
