import { documentSchema, readable, upgrade } from '@cord/kit/document-schema';
import type { WithOutbox } from '@cord/kit/outbox/items';
import { type DueTimes, readDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { firstMatching } from '@cord/kit/store/first-matching';
import { type VersionedDocuments, versionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import { type Commission, NO_COMMISSION } from './domain/commission.js';
import type { Friend, HoldState } from './domain/friend.js';
import type { Address, Mined } from './domain/network.js';
import { holdRange } from './holds.js';
import { openSumStore } from './sum-store.js';
import type { SumStore } from './sums.js';

export const MEMBERS = 'members';
/** Friends read at a time where all of a referrer's are gone through. */
const FRIENDS_BATCH = 256;

/** What auth has said of a user. */
export interface Profile {
  username: string;
  avatar: string | null;
  /** Refused both referral bonuses: returned after an erasure (services/README.md#erasure). */
  returning: boolean;
  /** Own welcome credit, micro-CORD; the newcomer's bonus is a tenth of it. */
  welcomeMicro: bigint;
}

/** Who referred a user. */
export interface Referrer {
  userId: string;
  atMs: number;
  /** Bucket of the referrer's that holds the friend's line, or is to hold it. Absent until the friend is entered in the books. */
  bucket?: number;
}

/** One user among referrals: own code, referrer, commission. */
export interface Member extends WithOutbox {
  code?: string;
  profile: Profile | null;
  erased: boolean;
  address: Address;
  /** Friends at these addresses are to be counted again, since the own address changed from one of them to another; true: all friends. */
  recounting?: true | string[];
  /** Where the user has mined; absent before the first node event. */
  mined?: Mined;
  referredBy: Referrer | null;
  /** What the user has earned as the referrer's friend; there from the link on. */
  friend?: Friend;
  /**
   * From when on the books are to be brought up to the friend's balance in the stream and passed up, ms: until then news of a node
   * that runs may be passed over (follow.ts). At once after a change that nothing brings again. Absent while nothing may be behind.
   */
  againAt?: number;
  /** Place among the holds that admins look through (holds.ts); absent while nothing is or was held back for this friend. */
  holdKey?: string;
  /** When the wait of the 86 CORD for this friend is over though no event comes, ms; absent while it does not wait for time alone. */
  bonusAt?: number;
  /** The referrer whom the user is about to get: seen by others who look for cycles (services/contracts/rules/README.md#commission-and-referral-bonuses). */
  linking: {
    to: string;
    atMs: number /** The record's version that made it: of two that name the same referrer each is its own. */;
    token?: bigint;
  } | null;
  /** Number of the bucket that new friends go into. */
  lastBucket: number;
  commission: Commission;
  /** Friends, as last told; the buckets are the truth. */
  friends: number;
  /** A code that came through sign-in. */
  pendingCode: {
    code: string;
    status: 'pending' | 'credited' | 'refused';
    reason: string | null;
    /** The reason's type. */
    why?: string | null;
  } | null;
  /** When the code that waits is to be tried again, ms, and how often it was; absent while none waits. */
  codeAt?: number;
  codeTries?: number;
  /** From when on the commission is to be told to the ledger, ms; absent while nothing may be due (dues.ts). */
  dueAt?: number;
  /** Who has taken the mark to tell it; absent since the mark was made anew. */
  taken?: bigint;
  /** When the commission was told last, ms. */
  toldAt?: number;
}

/** Times at which a record is to be looked at again. */
type Mark = 'dueAt' | 'againAt' | 'bonusAt' | 'codeAt';

/** The schemas that members have had: they hold credits, and what friends earned. */
export const MEMBER = documentSchema<Member>('referral record');

export interface ReferralStore {
  members: VersionedDocuments<Member>;
  sums: SumStore;
  /** The newest friends of a referrer, as far as they are shown. */
  newestFriends(referrerId: string, limit: number): Promise<Member[]>;
  /** What holds keep back of all of a referrer's friends, micro-CORD. */
  heldMicroOf(referrerId: string): Promise<bigint>;
  /** Friends of a referrer who count at one of these addresses, or all of them; by id, after one. */
  friendsAt(referrerId: string, keys: readonly string[] | null, after: string): Promise<string[]>;
  /** Friends in a state of their hold, since when they are in it decides the order; those behind a key of the list. */
  holds(state: HoldState, page: { after: string | null; limit: number }): Promise<Member[]>;
  memberByCode(code: string): Promise<Member | null>;
  /** Names and pictures of many users at once. */
  membersById(ids: readonly string[]): Promise<Map<string, Member>>;
  /** Referrers whose commission is to be told, the longest due first. */
  due(times: DueTimes, limit: number): Promise<string[]>;
  /** Friends for whom the wait of the 86 CORD is over by that time, the longest over first. */
  bonusesDue(byMs: number, limit: number): Promise<string[]>;
  /** Friends whose books are to be looked at again, the longest due first. */
  lookAgain(times: DueTimes, limit: number, takes?: IdFilter): Promise<string[]>;
  /** Users with a code that came through sign-in and is to be tried, the longest due first. */
  waitingCodes(times: DueTimes, limit: number): Promise<string[]>;
}

export function openStore(connection: Connection): ReferralStore {
  const members = connection.collection<Member>(MEMBERS);
  /** Ids of members whose mark is due, in its order; none of a newer schema. */
  const markedBy = async (mark: Mark, times: DueTimes, limit: number, takes?: IdFilter) => {
    const marked = await readDue(mark, times, limit, (filter, most) => {
      const found = members
        .find({ ...filter, ...readable(MEMBER) } as never, { projection: { _id: 1 } })
        .sort({ [mark]: 1 });
      return takes ? firstMatching(found, most, takes) : found.limit(most).toArray();
    });
    return marked.map(({ _id }) => _id);
  };

  return {
    members: versionedDocuments<Member>(connection, MEMBERS, newMember, (stored) => upgrade(stored, MEMBER)),
    sums: openSumStore(connection),
    newestFriends: (referrerId, limit) =>
      members
        .find({ 'referredBy.userId': referrerId }, { projection: { outbox: 0, parked: 0, commission: 0 } })
        .sort({ 'referredBy.atMs': -1 })
        .limit(limit)
        .toArray() as Promise<Member[]>,
    async heldMicroOf(referrerId) {
      const held = { 'referredBy.userId': referrerId, 'friend.heldMicro': { $gt: 0n } };
      const summed = members.aggregate<{ micro: bigint | number }>([
        { $match: held },
        { $group: { _id: null, micro: { $sum: '$friend.heldMicro' } } },
      ]);
      return BigInt((await summed.toArray())[0]?.micro ?? 0);
    },
    async friendsAt(referrerId, keys, after) {
      const where = keys ? { 'address.key': { $in: [...keys] } } : {};
      const query = { 'referredBy.userId': referrerId, ...where, _id: { $gt: after } };
      const found = members
        .find(query, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(FRIENDS_BATCH);
      return (await found.toArray()).map(({ _id }) => _id);
    },
    async holds(state, { after, limit }) {
      const { from, to, order } = holdRange(state, after);
      const found = members.find({ holdKey: { $gt: from, $lt: to } }).sort({ holdKey: order });
      return (await found.limit(limit).toArray()).map((stored) => upgrade(stored, MEMBER)) as Member[];
    },
    memberByCode: async (code) => (await members.findOne({ code })) as Member | null,
    async membersById(ids) {
      const found = (await members.find({ _id: { $in: [...ids] } }).toArray()) as Member[];
      return new Map(found.map((member) => [member._id, member]));
    },
    due: (times, limit) => markedBy('dueAt', times, limit),
    bonusesDue: (byMs, limit) => markedBy('bonusAt', { byMs, aheadMs: Number.MAX_SAFE_INTEGER }, limit),
    lookAgain: (times, limit, takes) => markedBy('againAt', times, limit, takes),
    waitingCodes: (times, limit) => markedBy('codeAt', times, limit),
  };
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
