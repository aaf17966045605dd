import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userErased } from '@cord/contracts/events/user';
import { logEndpoints as api } from '@cord/contracts/http/log';
import { toBase64, utf8 } from '@cord/contracts/proof/bytes';
import { type Chained, chainBefore, followEntries } from '@cord/contracts/proof/entries';
import { historyFault } from '@cord/contracts/proof/history';
import { logJoin, readBundle, recordHash } from '@cord/contracts/proof/log-tree';
import { memosOf, solanaRpc } from '@cord/contracts/proof/memos';
import { type Checkpoint, checkpointOf, checkpointText, readCheckpoint, readNote } from '@cord/contracts/proof/note';
import { readDayRecord } from '@cord/contracts/proof/records';
import { consistencyProof } from '@cord/contracts/proof/tree';
import { verifyProof } from '@cord/contracts/proof/verify';
import { NODE_PRIMITIVES, verifyFile } from '@cord/contracts/proof/verify-file';
import { dayKey, dayStartMs } from '@cord/contracts/rules/days';
import { opsUrlOf } from '@cord/kit/ops-port';
import { call, signTestCaller } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { PublicKey } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openRuntime, type Runtime } from '../../../infra/dev/test/solana-runtime.js';
import { type CheckInput, checkLedger } from '../../../shell/ledger-check/check.js';
import { sha256 } from '../ledger/chain.js';
import {
  DAY_MS,
  eventually,
  type Fixture,
  HOUR_MS,
  MINUTE_MS,
  NOON_MS,
  startFixture,
  type TestUser,
} from '../test/fixture.js';
import { BY_COMMAND } from '../test/roots.js';
import { startWitness, type TestWitness } from '../test/witness.js';
import { beginLog } from './begin.js';
import { logKey } from './key.js';
import { memoNetwork } from './solana.js';
import { newestLog } from './store.js';

const MEMO_KEY = 'e'.repeat(64);
const LOG_KEY = 'k'.repeat(64);
let witness: TestWitness;
const place = forAllTests(scratch);
let solana: Runtime;
let mining: Fixture;
let users: TestUser[];
beforeAll(async () => {
  solana = await openRuntime(place.folder, () => mining?.clock.now() ?? NOON_MS);
  await solana.airdrop(new PublicKey(memoNetwork(solana.url, MEMO_KEY).signer));
  const logVkey = logKey(LOG_KEY).vkey('localhost:8080/ledger');
  witness = await startWitness('north', [logVkey], () => mining?.clock.now() ?? NOON_MS);
  const memos = { LEDGER_MEMO_KEY: MEMO_KEY, SOLANA_RPC_URL: solana.url };
  const env = { LEDGER_LOG_KEY: LOG_KEY, ...memos, LEDGER_WITNESSES: witness.line };
  mining = await startFixture({ replicas: 2, env });
  users = await Promise.all(Array.from({ length: 5 }, () => mining.newUser(3)));
});
afterAll(async () => {
  await mining?.stop();
  await solana?.close();
  await witness?.close();
});

const url = () => mining.replicas[0]?.url ?? '';
const raw = async (path: string) =>
  fetch(`${url()}/api${path}`, { headers: { Authorization: `Bearer ${await signTestCaller()}` } });
const rootOf = (day: string) => call(url(), api.root, { params: { day } });
const proofOf = async (user: TestUser, day?: string) => user.call(api.proof, { query: day ? { day } : {} });
const vkeys = async () => (await call(url(), api.keys)).body.keys.map(({ vkey }) => vkey);
const checkpoint = async () => checkpointOf(await (await raw('/log/checkpoint')).text()) as Checkpoint;
const verdictOf = async (user: TestUser, day?: string) => {
  const { body } = await proofOf(user, day);
  return verifyProof(NODE_PRIMITIVES, body, { vkeys: await vkeys(), account: user.id });
};
/** What verify.mjs prints of a file. */
async function printed(file: string, ...args: string[]) {
  const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    const code = await verifyFile([file, '--vkey', ...(await vkeys()), ...args]);
    return { code, text: print.mock.calls.join('') };
  } finally {
    print.mockRestore();
  }
}
/** Each user works for some hours, and the day ends. @returns the day that ended */
async function liveADay(own: readonly TestUser[]): Promise<string> {
  const day = dayKey(mining.clock.now());
  for (const [n, user] of own.entries()) {
    const { id } = await user.start();
    await mining.clock.advance(HOUR_MS);
    await user.save(id);
    await mining.credit(user.id, 'task', `task:${day}:${user.id}:once`, BigInt(n + 1) * 1_000_001n);
  }
  await toTime(DAY_MS + 9 * MINUTE_MS);
  return day;
}
/** Moves the clock to a time after the beginning of its day. */
const toTime = (ms: number) => mining.clock.advance(dayStartMs(mining.clock.now()) + ms - mining.clock.now());

describe('the daily roots', () => {
  let first: string;
  let second: string;
  let seen: Checkpoint;

  test('do not exist before the first day is over', async () => {
    expect((await raw('/log/checkpoint')).status).toBe(404);
    expect((await raw('/log/tile/0/000.p/1')).status).toBe(404);
    expect(await vkeys()).toEqual([]);
    expect((await rootOf(dayKey(mining.clock.now()))).status).toBe(404);
    expect(await proofOf(users[0] as TestUser)).toMatchObject({ status: 404, problem: { type: 'no-root' } });
    first = await liveADay(users);
    expect((await raw('/log/checkpoint')).status).toBe(404);
  });

  test('are published ten minutes after midnight, and every user can prove each entry with them', async () => {
    await mining.clock.advance(MINUTE_MS);
    await eventually(async () => expect((await raw('/log/checkpoint')).status).toBe(200));
    const { body } = await rootOf(first);
    const record = readDayRecord(body.record);
    expect(record).toMatchObject({ day: first, accounts: 5, erased: 0 });
    let total = 0n;
    for (const user of users) {
      const verdict = await verdictOf(user);
      expect(verdict, verdict.text).toMatchObject({ ok: true, signed: true, account: user.id });
      if (verdict.ok) total += verdict.balanceMicro;
      if (verdict.ok) expect(verdict.entries).toBeGreaterThan(1);
    }
    expect(record?.total).toBe(total);
    const served = await (await raw('/verify.mjs')).arrayBuffer();
    expect(record?.verifier).toBe(createHash('sha256').update(Buffer.from(served)).digest('base64'));
    seen = await checkpoint();
    expect(seen).toMatchObject({ origin: 'localhost:8080/ledger', size: 1 });
    expect(checkpointOf(body.checkpoint)).toEqual(seen);
  });

  test('are served in a log of tiles', async () => {
    const { record } = (await rootOf(first)).body;
    const tile = await raw('/log/tile/0/000.p/1');
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    // After the log is begun anew the same path has another one.
    expect(tile.headers.get('cache-control')).toBe('public, max-age=5');
    const hash = recordHash(sha256, utf8(record));
    expect(toBase64(new Uint8Array(await tile.arrayBuffer()))).toBe(toBase64(hash));
    expect(toBase64(seen.root)).toBe(toBase64(hash));
    const bundle = readBundle(new Uint8Array(await (await raw('/log/tile/entries/000.p/1')).arrayBuffer()));
    expect(bundle?.map((bytes) => Buffer.from(bytes).toString())).toEqual([record]);
    for (const path of ['0/000', '0/000.p/2', '1/000.p/1', '0/001.p/1', '0/0', 'x/000.p/1', '64/000.p/1'])
      expect((await raw(`/log/tile/${path}`)).status, path).toBe(404);
  });

  test('are written to Solana by a known signer, which a verifier can require', async () => {
    const { signer } = memoNetwork(solana.url, MEMO_KEY);
    await eventually(async () => {
      await mining.clock.advance(MINUTE_MS);
      expect((await rootOf(first)).body.memo).toMatchObject({ slot: expect.any(Number) });
    });
    const { memo, memoSigner, checkpoint: note } = (await rootOf(first)).body;
    expect(memoSigner).toBe(signer);
    const memos = await memosOf(solanaRpc(solana.url), { signer, origin: seen.origin });
    expect(memos).toMatchObject([{ signature: memo?.signature, text: readNote(note)?.text, finalized: true }]);
    const file = join(place.folder, 'proof.json');
    await writeFile(file, JSON.stringify((await proofOf(users[0] as TestUser)).body));
    const verify = (by: string) => printed(file, '--rpc', solana.url, '--memo-signer', by);
    expect(await verify(signer)).toMatchObject({ code: 0, text: expect.stringMatching(/^OK /) });
    const other = await verify(memoNetwork(solana.url, 'f'.repeat(64)).signer);
    expect(other).toEqual({ code: 1, text: 'MISMATCH memo: no memo of the known signer has its text\n' });
  });

  test('are cosigned by a witness, which a verifier can require', async () => {
    await eventually(async () => {
      await mining.clock.advance(MINUTE_MS);
      expect((await rootOf(first)).body.cosignatures).toHaveLength(1);
    });
    const { cosignatures, checkpoint: note } = (await rootOf(first)).body;
    expect(await (await raw('/log/checkpoint')).text()).toBe(note + cosignatures.join(''));
    const [file, policy] = [join(place.folder, 'witnessed.json'), join(place.folder, 'policy')];
    await writeFile(file, JSON.stringify((await proofOf(users[0] as TestUser)).body));
    await writeFile(policy, `${witness.line}\nquorum north\n`);
    expect(await printed(file, '--policy', policy)).toMatchObject({ code: 0, text: expect.stringMatching(/^OK /) });
    const other = await startWitness('south', [], () => 0);
    await writeFile(policy, `${witness.line}\n${other.line}\ngroup both all north south\nquorum both\n`);
    await other.close();
    expect(await printed(file, '--policy', policy)).toEqual({
      code: 1,
      text: 'MISMATCH witnesses: 1 of 2 witnesses of the policy have signed it: no quorum\n',
    });
  });

  test('continue each other, also across an erasure and a new user', async () => {
    const [gone, ...stay] = users as [TestUser, ...TestUser[]];
    await mining.publish(userErased, gone.id, 2, {});
    await eventually(async () => {
      const account = await mining.stored.accounts.findOne({ _id: gone.id });
      expect(account?.chain.salt).toBe('');
    });
    const came = await mining.newUser();
    second = await liveADay([...stay, came]);
    await mining.clock.advance(MINUTE_MS);
    await eventually(async () => expect((await checkpoint()).size).toBe(2));
    expect(readDayRecord((await rootOf(second)).body.record)).toMatchObject({ day: second, accounts: 5, erased: 1 });
    const bundle = readBundle(new Uint8Array(await (await raw('/log/tile/entries/000.p/2')).arrayBuffer()));
    const hashes = (bundle ?? []).map((bytes) => recordHash(sha256, bytes));
    const proof = consistencyProof(hashes, 1, logJoin(sha256));
    expect(historyFault(sha256, seen, await checkpoint(), proof)).toBeNull();
    for (const user of [...stay, came]) expect((await verdictOf(user)).text).toMatch(/^OK /);
    // Of a day before, the entries up to then.
    const [before, now] = [await verdictOf(stay[0] as TestUser, first), await verdictOf(stay[0] as TestUser, second)];
    expect(before.ok && now.ok && before.entries < now.entries).toBe(true);
    expect(await proofOf(came, first)).toMatchObject({ status: 404, problem: { type: 'no-root' } });
    expect((await proofOf(gone)).status).toBe(404);
  });

  test('can be proved with only the entries after one that was checked before', async () => {
    const [, user] = users as [TestUser, TestUser];
    const whole = (await proofOf(user)).body;
    const start = chainBefore(sha256, user.id);
    for (const after of [0, 1, whole.entries.length - 1, whole.entries.length]) {
      const from = followEntries(sha256, user.id, start, whole.entries.slice(0, after)) as Chained;
      const { body } = await user.call(api.proof, { query: { after: String(after) } });
      expect(body.entries.length).toBe(whole.entries.length - after);
      const verdict = await verifyProof(NODE_PRIMITIVES, body, { vkeys: await vkeys(), account: user.id, from });
      expect(verdict).toMatchObject({ ok: true, entries: whole.entries.length });
      // Without what came before it is no proof.
      if (after > 0) expect((await verifyProof(NODE_PRIMITIVES, body)).ok).toBe(false);
    }
    expect((await user.call(api.proof, { query: { after: 'x' } })).status).toBe(400);
  });

  test('are served unchanged when an entry is missing: the verifier reports it, and a metric counts it', async () => {
    const [, user] = users as [TestUser, TestUser];
    const metric = async () => {
      const figures = await (await fetch(`${opsUrlOf(url())}/metrics`)).text();
      return Number(/^cord_ledger_mismatches_total\{[^}]*\} (\d+)$/m.exec(figures)?.[1]);
    };
    const n = Number((await proofOf(user)).body.leaf.n);
    const counted = await metric();
    const entry = await mining.stored.entries.findOneAndDelete({ userId: user.id, n });
    const { status, body } = await proofOf(user);
    if (entry) await mining.stored.entries.insertOne(entry);
    expect(status).toBe(200);
    const verdict = await verifyProof(NODE_PRIMITIVES, body, { vkeys: await vkeys(), account: user.id });
    expect(verdict.text).toMatch(/^MISMATCH leaf: it covers \d+ entries, \d+ are here$/);
    expect(await metric()).toBe(counted + 1);
    expect((await verdictOf(user)).text).toMatch(/^OK /);
  });

  test('respond 409 for a day that is not over, 404 for one never made and 400 for an invalid one', async () => {
    expect(await rootOf(dayKey(mining.clock.now()))).toMatchObject({ status: 409, problem: { type: 'root-pending' } });
    expect((await rootOf('2020-01-01')).status).toBe(404);
    expect((await rootOf('today')).status).toBe(400);
    expect((await proofOf(users[1] as TestUser, '2020-01-01')).status).toBe(404);
    expect((await proofOf(users[1] as TestUser, 'x')).status).toBe(400);
  });

  test('exist once for each day, whichever replica makes them', async () => {
    const records = await mining.store.collection('root_records').find().toArray();
    expect(records.map(({ day }) => day)).toEqual([first, second]);
    await mining.audit();
  });

  test('continue in a log begun anew while replicas run, and the page and the verifier accept it as such', async () => {
    const [, user] = users as [TestUser, TestUser];
    const [oldKey = ''] = await vkeys();
    const old = await checkpoint();
    const begun = await beginLog(await newestLog(mining.store), {
      reason: 'Test',
      nowMs: mining.clock.now(),
      ...BY_COMMAND,
    });
    // Before its first checkpoint, too: else a browser would take the log for one that is gone.
    const former = [{ origin: old.origin, vkeys: [oldKey] }];
    expect((await call(url(), api.keys)).body).toEqual({ keys: [], begun, former });
    await eventually(async () => {
      await mining.clock.advance(MINUTE_MS);
      expect(await checkpoint()).toMatchObject({ origin: 'localhost:8080/ledger/2', size: 2 });
    });
    const { body } = await call(url(), api.keys);
    expect(body).toMatchObject({ begun, former, keys: [{ from: 0, to: null, vouched: null }] });
    const [{ vkey } = { vkey: '' }] = body.keys;
    expect(vkey).not.toBe(oldKey);
    const { body: proof } = await proofOf(user);
    expect((await verdictOf(user)).text).toMatch(/^OK /);
    expect((await verifyProof(NODE_PRIMITIVES, proof, { vkeys: [oldKey] })).text).toMatch(/^MISMATCH signature/);
    // Of a browser that has seen the log before.
    const input: CheckInput = {
      ...{ account: user.id, proof, later: [], keys: body.keys, begun: body.begun },
      checkpoint: await (await raw('/log/checkpoint')).text(),
      records: readBundle(new Uint8Array(await (await raw('/log/tile/entries/000.p/2')).arrayBuffer())) ?? [],
      ...{ nowMs: mining.clock.now(), shownRules: null },
      before: { log: { checkpoint: checkpointText(old), vkeys: [oldKey] }, own: null, isPart: false },
    };
    expect(await checkLedger(NODE_PRIMITIVES, input)).toMatchObject({
      ...{ verdict: { ok: true }, history: null, next: null },
      begun: { reason: 'Test' },
    });
    expect(await checkLedger(NODE_PRIMITIVES, { ...input, begun: null })).toMatchObject({ begun: null, next: null });
    // The memos go on under the new name, and the day before is only in the log before.
    await eventually(async () => {
      await mining.clock.advance(MINUTE_MS);
      expect((await rootOf(second)).body.memo).toMatchObject({ slot: expect.any(Number) });
    });
    expect((await rootOf(first)).status).toBe(404);
    const { signer } = memoNetwork(solana.url, MEMO_KEY);
    const memos = await memosOf(solanaRpc(solana.url), { signer, origin: 'localhost:8080/ledger/2' });
    expect(memos.map(({ text }) => readCheckpoint(text)?.size)).toEqual([2]);
    await mining.audit();
  });
});
