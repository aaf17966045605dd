import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import { collection, type StateParts } from '@cord/kit/collection';
import { readable } from '@cord/kit/document-schema';
import type { OutboxEvent } from '@cord/kit/outbox/items';
import { type DueTimes, readDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { firstMatching } from '@cord/kit/store/first-matching';
import type { Connection } from 'mongoose';
import type { HoldState } from './domain/friend.js';
import { holdRange } from './holds.js';
import { joinedItem, linkedItem, type Member, newMember } from './member.js';
import { openSumStore } from './sum-store.js';

/** Friends read at a time where all of a referrer's are gone through. */
const FRIENDS_BATCH = 256;

/** Times at which a record is to be looked at again. */
type Mark = 'dueAt' | 'againAt' | 'bonusAt' | 'codeAt';

export const MEMBERS = collection<Member>({
  name: 'members',
  document: 'referral record',
  indexes: [
    { key: { code: 1 }, unique: true, sparse: true },
    ...(['dueAt', 'againAt', 'bonusAt', 'codeAt', 'holdKey'] as const).map((field) => ({
      key: { [field]: 1 as const },
      sparse: true as const,
    })),
    { key: { 'referredBy.userId': 1, 'referredBy.atMs': -1 } },
    { key: { 'referredBy.userId': 1, 'address.key': 1, _id: 1 } },
    { key: { 'referredBy.userId': 1, 'friend.heldMicro': 1 } },
  ],
  outbox: 'credits',
  empty: newMember,
  states: [{ kinds: [referralLinked, referralJoined], items: memberItems }],
});

/** The place among friends, and that the referrer has a friend in the member. */
async function memberItems(member: Member, { store, nowMs }: StateParts): Promise<OutboxEvent[]> {
  const { members, sums } = openStore(store);
  const referrer = member.referredBy && (await members.get(member.referredBy.userId));
  const joined = referrer && !referrer.erased ? joinedItem(member, nowMs) : null;
  // Of a member without a code nothing was published.
  const linked = member.code === undefined ? null : linkedItem(member, await sums.tally(member._id), nowMs);
  return [linked, joined].filter((item) => item !== null);
}

export type ReferralStore = ReturnType<typeof openStore>;

export function openStore(connection: Connection) {
  const members = MEMBERS.in(connection);
  /** Ids of members whose mark is due, in its order; none of a newer schema. */
  const markedBy = async (mark: Mark, times: DueTimes, limit: number, takes?: IdFilter) => {
    const marked = await readDue(mark, times, limit, (filter, most) => {
      const found = members
        .find({ ...filter, ...readable(MEMBERS.schema) } as never, { projection: { _id: 1 } })
        .sort({ [mark]: 1 });
      return takes ? firstMatching(found, most, takes) : found.limit(most).toArray();
    });
    return marked.map(({ _id }) => _id);
  };
  /** Ids of members in their order, some at a time. */
  const idsOf = async (query: object) => {
    const found = members
      .find(query, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(FRIENDS_BATCH);
    return (await found.toArray()).map(({ _id }) => _id);
  };

  return {
    members: MEMBERS.versioned(connection),
    sums: openSumStore(connection),
    /** The newest friends of a referrer, as far as they are shown. */
    newestFriends: (referrerId: string, limit: number) =>
      members
        .find({ 'referredBy.userId': referrerId }, { projection: { outbox: 0, parked: 0, commission: 0 } })
        .sort({ 'referredBy.atMs': -1 })
        .limit(limit)
        .toArray() as Promise<Member[]>,
    /** What holds keep back of all of a referrer's friends, micro-CORD. */
    async heldMicroOf(referrerId: string) {
      const held = { 'referredBy.userId': referrerId, 'friend.heldMicro': { $gt: 0n } };
      const summed = members.aggregate<{ micro: bigint | number }>([
        { $match: held },
        { $group: { _id: null, micro: { $sum: '$friend.heldMicro' } } },
      ]);
      return BigInt((await summed.toArray())[0]?.micro ?? 0);
    },
    /** Friends of a referrer who count at one of these addresses, or all of them; by id, after one. */
    async friendsAt(referrerId: string, keys: readonly string[] | null, after: string) {
      const where = keys ? { 'address.key': { $in: [...keys] } } : {};
      return idsOf({ 'referredBy.userId': referrerId, ...where, _id: { $gt: after } });
    },
    /** Friends of a referrer for whom something is held, by id, after one. */
    async heldFriends(referrerId: string, after: string) {
      const { from, to } = holdRange('held', null);
      return idsOf({ 'referredBy.userId': referrerId, holdKey: { $gt: from, $lt: to }, _id: { $gt: after } });
    },
    /** Friends in a state of their hold, since when they are in it decides the order; those behind a key of the list. */
    async holds(state: HoldState, { after, limit }: { after: string | null; limit: number }) {
      const { from, to, order } = holdRange(state, after);
      const found = members.find({ holdKey: { $gt: from, $lt: to } }).sort({ holdKey: order });
      return (await found.limit(limit).toArray()).map(MEMBERS.read) as Member[];
    },
    memberByCode: async (code: string) => (await members.findOne({ code })) as Member | null,
    /** Names and pictures of many users at once. */
    async membersById(ids: readonly string[]) {
      const found = (await members.find({ _id: { $in: [...ids] } }).toArray()) as Member[];
      return new Map(found.map((member) => [member._id, member]));
    },
    /** Referrers whose commission is to be reported, the longest due first. */
    due: (times: DueTimes, limit: number) => markedBy('dueAt', times, limit),
    /** Friends for whom the wait of the 86 CORD is over by that time, the longest over first. */
    bonusesDue: (byMs: number, limit: number) => markedBy('bonusAt', { byMs, aheadMs: Number.MAX_SAFE_INTEGER }, limit),
    /** Friends whose books are to be looked at again, the longest due first. */
    lookAgain: (times: DueTimes, limit: number, takes?: IdFilter) => markedBy('againAt', times, limit, takes),
    /** Users with a code that came through sign-in and is to be tried, the longest due first. */
    waitingCodes: (times: DueTimes, limit: number) => markedBy('codeAt', times, limit),
  };
}
