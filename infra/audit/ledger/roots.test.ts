import { logEndpoints } from '@cord/contracts/http/log';
import { type SolanaRpc, solanaRpc } from '@cord/contracts/proof/memos';
import { dayStartMs } from '@cord/contracts/rules/days';
import { call } from '@cord/kit/testing/index';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { PublicKey } from '@solana/web3.js';
import type { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginLog } from '../../../services/mining/roots/begin.js';
import * as leaves from '../../../services/mining/roots/leaves.js';
import { writeMemo } from '../../../services/mining/roots/memo.js';
import { memoNetwork } from '../../../services/mining/roots/solana.js';
import { createRootStore, newestLog } from '../../../services/mining/roots/store.js';
import {
  DAY_MS,
  eventually,
  type Fixture,
  HOUR_MS,
  MINUTE_MS,
  startFixture,
  type TestUser,
} from '../../../services/mining/test/fixture.js';
import { BY_COMMAND } from '../../../services/mining/test/roots.js';
import { openRuntime } from '../../dev/test/solana-runtime.js';
import { auditRoots } from './roots.js';

/* The log of a mining service that created two roots, intact and damaged. */

let mining: Fixture;
let db: mongo.Db;
let users: TestUser[];
let ids: string[];

beforeAll(async () => {
  mining = await startFixture({ env: { LEDGER_LOG_KEY: 'k'.repeat(64) } });
  users = await Promise.all([1, 2, 3].map(() => mining.newUser(3)));
  ids = users.map(({ id }) => id);
  for (const size of [1, 2]) {
    for (const user of users) {
      const { id } = await user.start();
      await mining.clock.advance(HOUR_MS);
      await user.save(id);
    }
    await mining.clock.advance(dayStartMs(mining.clock.now()) + DAY_MS + 11 * MINUTE_MS - mining.clock.now());
    await eventually(async () => expect(await signed()).toBe(size));
  }
  db = mining.store.db as unknown as mongo.Db;
});
afterAll(() => mining?.stop());

const signed = () => mining.store.collection('root_heads').countDocuments({ checkpoint: { $exists: true } });

async function audited(solana: SolanaRpc | null = null, now = mining.clock.now) {
  const lines: string[] = [];
  const sum = await auditRoots(db, leaves, ({ of, what }) => lines.push(`${of}: ${what}`), { solana, now });
  return { sum, lines };
}

/** Returns the findings while one document is changed; it is restored afterwards. */
async function foundWith(name: string, filter: object, update: object): Promise<string> {
  const collection = db.collection(name);
  const before = await collection.findOneAndUpdate(filter, update);
  expect(before).not.toBeNull();
  try {
    return (await audited()).lines.join('\n');
  } finally {
    await collection.replaceOne({ _id: before?._id as never }, before as never);
  }
}

describe('the log of roots', () => {
  test('has no finding as published', async () => {
    const { body } = await call(mining.replicas[0]?.url ?? '', logEndpoints.keys);
    expect(body.keys).toHaveLength(1);
    const { sum, lines } = await audited();
    expect(lines).toEqual([]);
    expect(sum).toMatchObject({ records: 2, accounts: 3, findings: 0, driftMicro: 0n });
  });

  test('has a finding for a changed record, root, checkpoint or key', async () => {
    const [record] = await db.collection<{ _id: number; text: string }>('root_records').find({ _id: 0 }).toArray();
    const text = record?.text.replace('accounts 3', 'accounts 4');
    expect(await foundWith('root_records', { _id: 0 }, { $set: { text } })).toContain(
      'its records do not yield the root of size 2',
    );
    expect(await foundWith('root_heads', { _id: 1 }, { $set: { root: 'x' } })).toContain(
      'the checkpoint of size 1 has another root',
    );
    const [first] = await db.collection<{ _id: number; checkpoint: string }>('root_heads').find({ _id: 1 }).toArray();
    expect(await foundWith('root_heads', { _id: 2 }, { $set: { checkpoint: first?.checkpoint } })).toContain(
      'the checkpoint of size 2 has another root',
    );
    const vkey = 'localhost:8080/ledger+00000000+AQ==';
    expect(await foundWith('root_log', {}, { $set: { vkey } })).toContain(
      'the checkpoint of size 1 is not signed by the key of the log',
    );
  });

  test('has a finding for a record of a day that has not ended', async () => {
    const [last] = await db.collection('root_records').find().sort({ _id: -1 }).limit(1).toArray();
    const endMs = Date.parse(last?.day) + DAY_MS;
    expect((await audited(null, () => endMs)).lines).toEqual([]);
    expect((await audited(null, () => endMs - 1)).lines).toEqual([
      `the log of roots: the record of ${last?.day} was made before the end of that day`,
    ]);
  });

  test('has a finding for an account that is behind its leaf or differs from it', async () => {
    const [id] = ids;
    const of = { _id: id };
    const { leaf } = (await users[0]?.call(logEndpoints.proof))?.body ?? {};
    const n = Number(leaf?.n);
    expect(n).toBeGreaterThan(1);
    expect(await foundWith('accounts', of, { $set: { 'chain.n': n - 1 } })).toMatch(
      new RegExp(`^account ${id}: it has ${n - 1} entries, the root of \\S+ has ${n}$`),
    );
    // The node kept running since: with the same number of entries the account must be as it was.
    for (const change of [
      { $set: { 'chain.n': n, 'chain.head': 'x' } },
      { $set: { 'chain.n': n, 'chain.head': leaf?.head }, $inc: { balanceMicro: 1n } },
    ])
      expect(await foundWith('accounts', of, change)).toMatch(
        new RegExp(`^account ${id}: it differs from the root of \\S+$`),
      );
  });

  test('has a finding for an account changed or set back below its leaf, even if it has later entries', async () => {
    const [user] = users as [TestUser];
    const { leaf } = (await user.call(logEndpoints.proof)).body;
    const n = Number(leaf.n);
    for (const kind of ['a', 'b']) {
      const key = `task:${kind}:${user.id}:once`;
      await mining.credit(user.id, 'task', key, 1_000_000n);
    }
    await eventually(async () =>
      expect(await db.collection('entries').countDocuments({ userId: user.id })).toBeGreaterThanOrEqual(n + 2),
    );
    expect((await audited()).lines).toEqual([]);
    const of = { userId: user.id, n };
    const differs = new RegExp(`^account ${user.id}: it differs from the root of \\S+$`);
    expect(await foundWith('entries', of, { $set: { hash: 'x' } })).toMatch(differs);
    expect(await foundWith('entries', of, { $inc: { balanceMicro: 1n } })).toMatch(differs);
    expect(await foundWith('entries', of, { $set: { balanceMicro: -1n } })).toMatch(differs);
    expect(await foundWith('accounts', { _id: user.id }, { $set: { 'chain.salt': 'AAAA' } })).toMatch(differs);
    expect(await foundWith('entries', of, { $set: { n: -1 } })).toMatch(
      new RegExp(`^account ${user.id}: its entry ${n}, the last in the root of \\S+, is missing$`),
    );
    // An entry that is not written yet is in the outbox.
    const entry = await db.collection('entries').findOneAndDelete(of);
    try {
      const { _id: key, ...rest } = entry ?? { _id: '' };
      const $push = { outbox: { kind: 'entry', entry: { key, ...rest } } };
      expect(await foundWith('accounts', { _id: user.id }, { $push })).toBe('');
    } finally {
      await db.collection('entries').insertOne(entry as never);
    }
  });

  test('has a finding for leaves that do not make its last root, and for missing leaves', async () => {
    const last = await db.collection('root_records').findOne({ day: { $ne: '' } }, { sort: { _id: -1 } });
    const of = { run: last?.run };
    const tile = await db.collection('root_tiles').findOne(of);
    const rows = Buffer.from(tile?.rows.value());
    rows[20] = (rows[20] ?? 0) ^ 1;
    const others = 'the log of roots: its leaves do not yield the root of';
    expect(await foundWith('root_tiles', of, { $set: { rows } })).toContain(others);
    expect(await foundWith('root_tiles', of, { $inc: { sum: 1n } })).toContain(others);
    expect(await foundWith('root_tiles', of, { $set: { hash: Buffer.alloc(32) } })).toContain(others);
    expect(await foundWith('root_tiles', of, { $set: { run: 'x' } })).toBe(
      `the log of roots: 0 of 3 leaves of the root of ${last?.day} were found`,
    );
  });

  test('has a finding for a second record of a day, and for a record of an earlier day', async () => {
    const [first] = await db.collection('root_records').find().sort({ _id: 1 }).toArray();
    const faults: [day: string, fault: string][] = [
      [first?.day, `there are two records of ${first?.day}`],
      ['2026-11-01', `the record of 2026-11-01 stands behind the one of ${first?.day}`],
    ];
    for (const [day, fault] of faults) {
      const text = String(first?.text).replace(String(first?.day), day);
      expect(await foundWith('root_records', { _id: 1 }, { $set: { day, text } })).toContain(
        `the log of roots: ${fault}`,
      );
    }
  });

  test('accepts memos on Solana that are its checkpoints, and has a finding for other and missing ones', async () => {
    const { folder } = stopAfterTest(await scratch());
    const runtime = await openRuntime(folder, () => mining.clock.now());
    try {
      const network = memoNetwork(runtime.url, 'e'.repeat(64));
      await runtime.airdrop(new PublicKey(network.signer));
      const store = createRootStore(mining.store);
      for (let round = 0; round < 2; round += 1) {
        await writeMemo({ store, network }, mining.clock.now(), async () => true);
        await mining.clock.advance(MINUTE_MS);
      }
      const solana = solanaRpc(runtime.url);
      expect(await audited(solana)).toMatchObject({ lines: [], sum: { memos: 1 } });
      expect((await audited()).sum.memos).toBeNull();
      // A memo without a checkpoint, and a missing memo.
      const { signature, wire } = await network.sign(
        'localhost:8080/ledger\n9\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n',
      );
      await network.send(wire);
      await mining.clock.advance(MINUTE_MS);
      expect((await audited(solana)).lines).toEqual([
        `the log of roots: the memo ${signature} matches no checkpoint of the log`,
      ]);
      const elsewhere = memoNetwork(runtime.url, 'd'.repeat(64)).signer;
      const heads = db.collection('root_heads');
      await heads.updateOne({ memo: { $exists: true } }, { $set: { 'memo.signer': elsewhere } });
      expect((await audited(solana)).lines).toEqual([
        'the log of roots: the checkpoint of size 2 is not on Solana: no memo of the known signer has its text',
      ]);
      const later: SolanaRpc = (method, params) =>
        method === 'getFirstAvailableBlock' ? Promise.resolve(1_000_000_000) : solana(method, params);
      expect(await audited(later)).toMatchObject({ lines: [], sum: { memosNotKept: 1 } });
    } finally {
      await db.collection('root_heads').updateMany({}, { $unset: { memo: '' } });
      await runtime.close();
    }
  });

  test('has a finding for a missing account', async () => {
    const collection = db.collection('accounts');
    const gone = await collection.findOneAndDelete({ _id: ids[1] as never });
    try {
      expect((await audited()).lines.join('\n')).toMatch(/1 accounts of the root of \S+ are missing$/);
    } finally {
      await collection.insertOne(gone as never);
    }
  });

  test('is checked after it was begun anew, together with the log before', async () => {
    const { folder } = stopAfterTest(await scratch());
    const runtime = await openRuntime(folder, () => mining.clock.now());
    try {
      const network = memoNetwork(runtime.url, 'e'.repeat(64));
      await runtime.airdrop(new PublicKey(network.signer));
      const write = async (text: string) => {
        const { signature, wire } = await network.sign(text);
        await network.send(wire);
        await mining.clock.advance(MINUTE_MS);
        return signature;
      };
      // The store has lost records that users saw, up to size 4.
      const lost = (size: number) => `localhost:8080/ledger\n${size}\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n`;
      await write(lost(3));
      await write(lost(4));
      await beginLog(await newestLog(mining.store), { reason: 'Test', checkpoint: lost(4), nowMs: 0, ...BY_COMMAND });
      await eventually(async () => {
        await mining.clock.advance(MINUTE_MS);
        expect(await signed()).toBe(4);
      });
      for (let round = 0; round < 2; round += 1) {
        await writeMemo({ store: await newestLog(mining.store), network }, mining.clock.now(), async () => true);
        await mining.clock.advance(MINUTE_MS);
      }
      const solana = solanaRpc(runtime.url);
      expect(await audited(solana)).toMatchObject({ lines: [], sum: { records: 4, accounts: 3, memos: 3 } });
      const signature = await write(lost(4).replace('CsUY', 'AsUY'));
      expect((await audited(solana)).lines).toEqual([
        `the log of roots: the memo ${signature} matches no checkpoint of the log`,
      ]);
      // Its first record is changed, or names less of the previous log than exists.
      const records = db.collection<{ _id: number; text: string }>('root_records');
      const { text = '' } = (await records.findOne({ _id: 2 })) ?? {};
      for (const changed of [text.replace('ledger/2', 'ledger/3'), text.replace('ledger 4', 'ledger 1'), 'x'])
        expect(await foundWith('root_records', { _id: 2 }, { $set: { text: changed } })).toContain(
          'record 2 does not begin a log after the previous one',
        );
    } finally {
      await runtime.close();
    }
  });

  test('is checked after a restore from a backup, once it was begun anew behind the lost records', async () => {
    const begin = async (checkpoint?: string) =>
      beginLog(await newestLog(mining.store), { reason: 'Test', checkpoint, nowMs: 0, ...BY_COMMAND });
    const markedAt = (records: number) =>
      db.collection('root_log').updateOne({ _id: 'restored' as never }, { $set: { records } }, { upsert: true });
    const lost = (n: number) => `localhost:8080/ledger/${n}\n9\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n`;
    // One log was not signed before the backup, and one was restarted after it.
    await begin();
    await markedAt(await db.collection('root_records').countDocuments());
    expect(await begin(lost(5))).toMatch(/^cord\/log\/1\norigin localhost:8080\/ledger\/6\n/);
    expect((await audited()).lines).toEqual([]);
    // A backup from before the first root.
    for (const name of ['root_records', 'root_heads', 'root_log', 'root_tiles'])
      await db.collection(name).deleteMany({});
    await markedAt(0);
    await begin(lost(2));
    expect((await audited()).lines).toEqual([]);
    await eventually(async () => {
      await mining.clock.advance(MINUTE_MS);
      expect(await signed()).toBe(2);
    });
    expect(await audited()).toMatchObject({ lines: [], sum: { records: 2, accounts: 3 } });
  });
});
