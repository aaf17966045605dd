import { join } from 'node:path';
import { mongo } from 'mongoose';
import type { EntryDoc } from '../../../services/mining/store/collections.js';
import { sealedAll } from '../../audit/test/sealed.js';

const { Long, Int32, Double } = mongo;

const SERVICES = ['auth', 'notices', 'leaderboard', 'referrals', 'rewards', 'tasks', 'mining'];
const HASH = 'a'.repeat(64);
/** Hash of an address that a user no longer uses. */
const LEFT_HASH = 'b'.repeat(64);
/** All address hashes in the databases. */
export const HASHES = [HASH, LEFT_HASH];
/** Earnings of a friend on hold: counted and held, micro-CORD. */
const HELD = { accountSeq: 1n, eligibleMicro: 7_000_000n, countedMicro: 2_000_000n, heldMicro: 5_000_000n };

/** Makes an account from the amounts of its entries, in micro-CORD. */
export function account(userId: string, amounts: readonly bigint[]) {
  const sum = (of: readonly bigint[]) => of.reduce((total, one) => total + one, 0n);
  const made = amounts.map(
    (amountMicro, at): Omit<EntryDoc, 'n' | 'hash' | 'facts'> => ({
      _id: `checkin:${userId}:${at}`,
      ...{ userId, seq: BigInt(at + 1), source: 'checkin', amountMicro, reason: '', atMs: at },
      balanceMicro: sum(amounts.slice(0, at + 1)),
    }),
  );
  const { entries, chain } = sealedAll(userId, made);
  const document = {
    _id: userId,
    seq: BigInt(amounts.length),
    balanceMicro: sum(amounts),
    totals: { bySource: { checkin: sum(amounts) } },
    open: { sinceMs: 0, amountMicro: 0n, rateNano: 0n, made: null },
    chain,
    node: {
      status: 'idle',
      addressHash: HASH,
      addresses: [{ hash: HASH, ms: 5, atMs: 1 }],
      published: { addressHash: HASH },
    },
    outbox: [],
  };
  return { document, entries };
}

/** Fills the databases with some users, as the services would leave them. */
export async function fill(client: mongo.MongoClient, users = 3): Promise<void> {
  const db = (service: string) => client.db(`cord_${service}`);
  const ids = Array.from({ length: users }, (_, n) => `u${n}`);
  // biome-ignore lint/suspicious/noExplicitAny: documents of every service.
  const put = (service: string, name: string, documents: any[]) => db(service).collection(name).insertMany(documents);
  const ledger = ids.map((id, n) => account(id, [5_000_000n, BigInt(n) + 1n, 2n ** 53n + 1n]));
  await put(
    'mining',
    'accounts',
    ledger.map(({ document }) => document),
  );
  await put(
    'mining',
    'entries',
    ledger.flatMap(({ entries }) => entries),
  );
  await put('mining', 'audits', [{ _id: 'last' }]);
  const through = ['days-of-entries', 'addresses-to-forget'].map((name) => `accounts:${name}`);
  await put(
    'mining',
    'schema',
    through.map((_id) => ({ _id, version: 2, indexes: ['n_1'], gone: [] })),
  );
  await put(
    'auth',
    'users',
    ids.map((_id) => ({ _id, discordId: `d${_id}`, username: _id, usernameLower: _id, isAdmin: _id === 'u2' })),
  );
  await put('auth', 'sessions', [{ _id: 'token', userId: 'u0' }]);
  await put('auth', 'signing_keys', [{ _id: 1, kid: 'k', sealedPrivateJwk: 'sealed' }]);
  await put('auth', 'mined_addresses', [{ _id: `u0:${HASH}`, userId: 'u0', addressHash: HASH }]);
  await put('auth', 'assessments', [
    {
      ...{ _id: 'u0', addressHash: HASH, recheckAtMs: 1, seq: 1, outbox: [{ payload: { addressKey: HASH } }] },
      moved: { seq: 1, addresses: [LEFT_HASH, HASH] },
    },
  ]);
  await put('auth', 'erasures', [
    { _id: 'gone', atMs: 1, seq: 2, outbox: [] },
    { _id: 'going', atMs: 1, seq: 2, outbox: [], dueAtMs: 5_000 },
  ]);
  await put('auth', 'tombstones', [{ _id: 'tombstone-gone' }]);
  await put('referrals', 'members', [
    { _id: 'u0', seq: 1n, address: { key: HASH, level: 1 }, mined: { addresses: [{ key: HASH }] }, recounting: [HASH] },
    { _id: 'u1', seq: 1n, address: { key: HASH, level: 1 }, referredBy: { userId: 'u0' }, friend: HELD, holdKey: 'h' },
    { _id: 'u2', seq: 1n, address: { key: null, level: 0 }, referredBy: { userId: 'u0' } },
  ]);
  await put('rewards', 'signatures', [{ _id: 'used', orderId: 'o', references: [] }]);
  await put('tasks', 'catalogue', [
    { _id: 'types', int: new Int32(7), long: Long.fromNumber(7), double: new Double(7), none: null, deep: { '1': [] } },
  ]);
  await put('leaderboard', 'snapshots', [{ _id: 'board' }]);
  for (const service of SERVICES) await put(service, 'leases', [{ _id: 'work', holder: 'x', untilMs: 1 }]);
}

/** Returns the content of the databases byte for byte, without data of one system at one time. */
export async function everything(client: mongo.MongoClient): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const service of SERVICES) {
    const db = client.db(`cord_${service}`);
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      const documents = await db.collection(name).find({}, { raw: true }).sort({ _id: 1 }).toArray();
      const texts = documents.map((raw) => Buffer.from(raw as unknown as Uint8Array).toString('hex'));
      if (texts.length > 0) found[join(service, name)] = texts;
    }
  }
  return found;
}
