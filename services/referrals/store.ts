import { ensureOutboxIndexes, type OutboxItem } from '@cord/kit/outbox';
import { ensurePromiseIndexes, type Promises } from '@cord/kit/promised-credits';
import { type Versioned, type VersionedDocuments, versionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import { type Address, type Bucket, type FriendAccount, type Tally, tallyOf } from './domain/bucket.js';
import { type Commission, NO_COMMISSION } from './domain/commission.js';
import type { Mined } from './domain/network.js';

export const MEMBERS = 'members';
export const BUCKETS = 'buckets';

/** What auth has said of a user. */
export interface Profile {
  username: string;
  avatar: string | null;
  /** Refused both referral bonuses: returned after an erasure (money.md, Erasure). */
  returning: boolean;
  /** Own welcome credit, micro-CORD; the newcomer's bonus is a tenth of it. */
  welcomeMicro: bigint;
}

/** Who referred a user. The bucket is null until the friend stands in the referrer's books. */
export interface Referrer {
  userId: string;
  atMs: number;
  bucketId: string | null;
  /** The friend's account at the link, kept with it so that a crash before the books loses nothing. */
  baseline?: FriendAccount;
}

/** One user among referrals: own code, referrer, commission. */
export interface Member extends Versioned, Promises {
  code?: string;
  profile: Profile | null;
  erased: boolean;
  address: Address;
  /** The buckets have not all been counted again since the address changed. */
  recounting?: true;
  /** Where the user has mined; absent before the first node event. */
  mined?: Mined;
  referredBy: Referrer | null;
  /** The referrer whom the user is about to get: seen by others who look for cycles (money.md, Commission). */
  linking: { to: string; atMs: number } | null;
  /** Number of the bucket that new friends go into. */
  lastBucket: number;
  commission: Commission;
  /** Friends and credited bonuses, as last told; the buckets are the truth. */
  friends: number;
  /** A code that came through sign-in. */
  pendingCode: { code: string; status: 'pending' | 'credited' | 'refused'; reason: string | null } | null;
  /** From when on the commission is to be told to the ledger, ms; absent while nothing may be due (dues.ts). */
  dueAt?: number;
  /** Who has taken the mark to tell it; absent since the mark was made anew. */
  taken?: bigint;
  /** When the commission was told last, ms. */
  toldAt?: number;
  outbox?: OutboxItem[];
  dirtyAt?: number;
}

/** A stored bucket. */
export interface BucketDocument extends Versioned, Promises, Bucket {
  /** Absent in a bucket that was written last by a former release. */
  tally?: Omit<Tally, 'sumMicro'>;
}

export interface ReferralStore {
  members: VersionedDocuments<Member>;
  buckets: VersionedDocuments<BucketDocument>;
  bucketsOf(referrerId: string): Promise<BucketDocument[]>;
  /** What the buckets of a referrer come to, without reading the friends in them. */
  tallyOf(referrerId: string): Promise<Tally>;
  memberByCode(code: string): Promise<Member | null>;
  /** Names and pictures of many users at once. */
  membersById(ids: readonly string[]): Promise<Map<string, Member>>;
  /** Referrers whose commission is to be told by that time, the longest due first. */
  dueBy(atMs: number, limit: number): Promise<string[]>;
  /** Users with a code that came through sign-in and waits. */
  waitingCodes(limit: number): Promise<string[]>;
  /** Referrers after an id, by id, for whom the release before has fixed a payment of commission. */
  withPayments(after: string, limit: number): Promise<string[]>;
}

export function bucketId(referrerId: string, index: number): string {
  return `${referrerId}:${index}`;
}

export async function openStore(connection: Connection): Promise<ReferralStore> {
  const members = connection.collection<Member>(MEMBERS);
  const buckets = connection.collection<BucketDocument>(BUCKETS);
  await ensureOutboxIndexes(connection, MEMBERS);
  await ensurePromiseIndexes(connection, MEMBERS);
  await ensurePromiseIndexes(connection, BUCKETS);
  await members.createIndex({ code: 1 }, { unique: true, sparse: true });
  await members.createIndex({ dueAt: 1 }, { sparse: true });
  await members.createIndex({ 'pendingCode.status': 1 }, { sparse: true });
  await buckets.createIndex({ referrerId: 1 });

  return {
    members: versionedDocuments<Member>(connection, MEMBERS, newMember),
    buckets: versionedDocuments<BucketDocument>(connection, BUCKETS, newBucket),
    bucketsOf: (referrerId) => buckets.find({ referrerId }).toArray() as Promise<BucketDocument[]>,
    async tallyOf(referrerId) {
      const projection = { sumMicro: 1, tally: 1 };
      const known = (await buckets.find({ referrerId }, { projection }).toArray()) as BucketDocument[];
      const tallies = known.map(async ({ _id, sumMicro, tally }) => {
        if (tally) return { ...tally, sumMicro };
        const whole = (await buckets.findOne({ _id })) as BucketDocument | null;
        return tallyOf(whole ?? newBucket(_id));
      });
      return sumOf(await Promise.all(tallies));
    },
    memberByCode: async (code) => (await members.findOne({ code })) as Member | null,
    async membersById(ids) {
      const found = (await members.find({ _id: { $in: [...ids] } }).toArray()) as Member[];
      return new Map(found.map((member) => [member._id, member]));
    },
    async dueBy(atMs, limit) {
      const due = members.find({ dueAt: { $lte: atMs } }, { projection: { _id: 1 } }).sort({ dueAt: 1 });
      return (await due.limit(limit).toArray()).map(({ _id }) => _id);
    },
    async waitingCodes(limit) {
      const waiting = members.find({ 'pendingCode.status': 'pending' }, { projection: { _id: 1 } });
      return (await waiting.limit(limit).toArray()).map(({ _id }) => _id);
    },
    async withPayments(after, limit) {
      const fixed = [
        { promisedAt: { $gt: 0 }, 'promised.source': 'commission' as const },
        { parkedAt: { $gt: 0 }, 'parked.source': 'commission' as const },
      ];
      const found = members.find({ _id: { $gt: after }, $or: fixed }, { projection: { _id: 1 } }).sort({ _id: 1 });
      return (await found.limit(limit).toArray()).map(({ _id }) => _id);
    },
  };
}

/** What several buckets come to together. */
export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, each) => ({
      friends: sum.friends + each.friends,
      bonuses: sum.bonuses + each.bonuses,
      sumMicro: sum.sumMicro + each.sumMicro,
    }),
    { friends: 0, bonuses: 0, sumMicro: 0n },
  );
}

export function newMember(id: string): Member {
  return {
    _id: id,
    seq: 0n,
    profile: null,
    erased: false,
    address: { key: null, level: 0 },
    referredBy: null,
    linking: null,
    lastBucket: 0,
    commission: NO_COMMISSION,
    friends: 0,
    pendingCode: null,
  };
}

export function newBucket(id: string): BucketDocument {
  return { _id: id, seq: 0n, referrerId: id.slice(0, id.indexOf(':')), friends: {}, sumMicro: 0n };
}
