import { logEndpoints } from '@cord/contracts/http/log';
import { dayStartMs } from '@cord/contracts/rules/days';
import { call } from '@cord/kit/testing/index';
import type { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as leaves from '../../../services/mining/roots/leaves.js';
import {
  DAY_MS,
  eventually,
  type Fixture,
  HOUR_MS,
  MINUTE_MS,
  startFixture,
  type TestUser,
} from '../../../services/mining/test/fixture.js';
import { auditRoots } from './roots.js';

/* The log of a mining service that made two roots, as it is and damaged. */

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
afterAll(() => mining?.close());

const signed = () => mining.store.collection('root_heads').countDocuments({ checkpoint: { $exists: true } });

async function audited() {
  const lines: string[] = [];
  const sum = await auditRoots(db, leaves, ({ of, what }) => lines.push(`${of}: ${what}`));
  return { sum, lines };
}

/** What is found while one document is otherwise; it is put back afterwards. */
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
  test('that is as it was published has no finding', async () => {
    const { body } = await call(mining.replicas[0]?.url ?? '', logEndpoints.keys);
    expect(body.keys).toHaveLength(1);
    const { sum, lines } = await audited();
    expect(lines).toEqual([]);
    expect(sum).toMatchObject({ records: 2, accounts: 3, findings: 0, driftMicro: 0n });
  });

  test('has each change of a record, a root, a checkpoint and a key found', async () => {
    const [record] = await db.collection<{ _id: number; text: string }>('root_records').find({ _id: 0 }).toArray();
    const text = record?.text.replace('accounts 3', 'accounts 4');
    expect(await foundWith('root_records', { _id: 0 }, { $set: { text } })).toContain(
      'its records do not make the root of size 2',
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

  test('has an account found that is behind its leaf, or another one', async () => {
    const [id] = ids;
    const of = { _id: id };
    const { leaf } = (await users[0]?.ask(logEndpoints.proof))?.body ?? {};
    const n = Number(leaf?.n);
    expect(n).toBeGreaterThan(1);
    expect(await foundWith('accounts', of, { $set: { 'chain.n': n - 1 } })).toMatch(
      new RegExp(`^account ${id}: it has ${n - 1} entries, the root of \\S+ has ${n}$`),
    );
    // The node has run on since: with as many entries as then it has to be what it was.
    for (const change of [
      { $set: { 'chain.n': n, 'chain.head': 'x' } },
      { $set: { 'chain.n': n, 'chain.head': leaf?.head }, $inc: { balanceMicro: 1n } },
    ])
      expect(await foundWith('accounts', of, change)).toMatch(
        new RegExp(`^account ${id}: it is not what the root of \\S+ says$`),
      );
  });

  test('has an account found that is gone', async () => {
    const collection = db.collection('accounts');
    const gone = await collection.findOneAndDelete({ _id: ids[1] as never });
    try {
      expect((await audited()).lines.join('\n')).toMatch(/1 accounts of the root of \S+ are gone$/);
    } finally {
      await collection.insertOne(gone as never);
    }
  });
});
