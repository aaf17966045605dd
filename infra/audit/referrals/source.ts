import { COMMISSION_SOURCES } from '@cord/contracts/events/balance';
import type { mongo } from 'mongoose';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import type { Member } from '../../../services/referrals/member.js';
import { entriesWaiting } from '../ledger/waiting.js';
import type { Reading } from '../store/mongo-source.js';

/** Accounts per batch. */
const BATCH = 256;

/** A stored bucket of friends. */
export interface BucketDoc {
  _id: string;
  seq: bigint;
  size: number;
  friends: number;
  sumMicro: bigint;
  lines: Record<string, { s: bigint; c: bigint; r?: true }>;
}

/** The ledger's data of a friend or referrer that commission depends on. */
export interface LedgerFacts {
  seq: bigint;
  /** Earned from sources with commission, micro-CORD. */
  eligibleMicro: bigint;
  commissionMicro: bigint;
  reachedAtMs: number;
  erased: boolean;
  running: boolean;
  /** Time up to which the stored account is settled, ms; 0 when the node never ran. */
  settledAtMs: number;
  /** The factors that bound the rate. */
  factors: AccountDoc['factors'];
}

/** A friend with the ledger's data; null without an account. */
export interface FriendBooks {
  member: Member;
  account: LedgerFacts | null;
}

/** The links, and the books of one referrer. */
export interface ReferralSource {
  /** Returns all links, from friend to referrer. */
  links(): AsyncIterable<{ friendId: string; referrerId: string }>;
  /** Returns all users with buckets. */
  withSums(): AsyncIterable<string>;
  /** Returns all users who were credited commission or the 86 CORD of a friend. */
  paid(): AsyncIterable<string>;
  account(userId: string): Promise<LedgerFacts | null>;
  member(userId: string): Promise<Member | null>;
  buckets(referrerId: string): AsyncIterable<BucketDoc>;
  /** Returns friends unordered, with one batch in memory at a time. */
  friends(referrerId: string): AsyncIterable<FriendBooks>;
  /** Returns the credited 86 CORD amounts of a referrer, by friend. */
  bonuses(referrerId: string): Promise<Map<string, bigint>>;
}

export function mongoReferrals(databaseOf: (service: string) => mongo.Db, reading: Reading): ReferralSource {
  const referrals = databaseOf('referrals');
  const mining = databaseOf('mining');
  const readMember = reading('referrals', 'members') as (stored: object) => Member;
  const members = () => referrals.collection<Member>('members');
  const accounts = () => mining.collection<AccountDoc>('accounts');
  const projection = { seq: 1, totals: 1, erasedAtMs: 1, factors: 1, 'node.status': 1, 'node.lastAtMs': 1 };
  const accountsOf = async (ids: string[]): Promise<Map<string, LedgerFacts>> => {
    const found = await accounts()
      .find({ _id: { $in: ids } }, { projection })
      .toArray();
    return new Map(found.map((account) => [account._id, factsOf(account as unknown as AccountDoc)]));
  };
  return {
    async *links() {
      const found = members().find({ 'referredBy.userId': { $gt: '' } }, { projection: { 'referredBy.userId': 1 } });
      for await (const { _id, referredBy } of found)
        if (referredBy) yield { friendId: _id, referrerId: referredBy.userId };
    },
    async *withSums() {
      for await (const { _id } of referrals.collection<BucketDoc>('sums').find({}, { projection: { _id: 1 } }))
        yield _id.slice(0, _id.indexOf(':'));
    },
    async *paid() {
      // Entries and totals of each source agree: the audit of users checks that for every account.
      const sources = ['commission', 'refwelcome'].map((source) => ({ [`totals.bySource.${source}`]: { $gt: 0n } }));
      for await (const { _id } of accounts().find({ $or: sources }, { projection: { _id: 1 } })) yield _id;
    },
    account: async (userId) => (await accountsOf([userId])).get(userId) ?? null,
    async member(userId) {
      const stored = await members().findOne({ _id: userId });
      return stored && readMember(stored);
    },
    buckets: (referrerId) =>
      referrals.collection<BucketDoc>('sums').find({ _id: { $gt: `${referrerId}:`, $lt: `${referrerId};` } }),
    async *friends(referrerId) {
      const found = members().find({ 'referredBy.userId': referrerId }, { batchSize: BATCH });
      let batch: Member[] = [];
      const read = async function* () {
        const known = await accountsOf(batch.map(({ _id }) => _id));
        for (const member of batch) yield { member, account: known.get(member._id) ?? null };
        batch = [];
      };
      for await (const stored of found) {
        batch.push(readMember(stored));
        if (batch.length === BATCH) yield* read();
      }
      yield* read();
    },
    async bonuses(referrerId) {
      const paid = new Map<string, bigint>();
      // The account is read first: an entry that leaves its outbox meanwhile is among the entries.
      const account = await accounts().findOne({ _id: referrerId }, { projection: { outbox: 1 } });
      const waiting = account ? entriesWaiting(account as unknown as AccountDoc) : [];
      const written = mining.collection<EntryDoc>('entries').find({ userId: referrerId, source: 'refwelcome' });
      const add = (key: string, micro: bigint) => paid.set(key.split(':')[2] ?? '', micro);
      for await (const { _id, amountMicro } of written) add(_id, amountMicro);
      for (const { key, source, amountMicro } of waiting) if (source === 'refwelcome') add(key, amountMicro);
      return paid;
    },
  };
}

function factsOf({ seq, totals, erasedAtMs, node, factors }: AccountDoc): LedgerFacts {
  return {
    seq,
    eligibleMicro: COMMISSION_SOURCES.reduce((sum, source) => sum + (totals.bySource[source] ?? 0n), 0n),
    commissionMicro: totals.bySource.commission ?? 0n,
    reachedAtMs: totals.allReachedAtMs,
    erased: erasedAtMs !== null,
    running: node.status === 'active',
    settledAtMs: Number(node.lastAtMs ?? 0),
    factors,
  };
}
