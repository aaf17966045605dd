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

/** Friends per batch when all friends of a referrer are read. */
const FRIENDS_BATCH = 256;

/** Fields with the time of the next check of a record. */
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

/** Returns the events of a member's place, and of the referrer's friend. */
async function memberItems(member: Member, { store, nowMs }: StateParts): Promise<OutboxEvent[]> {
  const { members, sums } = openStore(store);
  const referrer = member.referredBy && (await members.get(member.referredBy.userId));
  const joined = referrer && !referrer.erased ? joinedItem(member, nowMs) : null;
  // Nothing was published for a member without a code.
  const linked = member.code === undefined ? null : linkedItem(member, await sums.tally(member._id), nowMs);
  return [linked, joined].filter((item) => item !== null);
}

export type ReferralStore = ReturnType<typeof openStore>;

export function openStore(connection: Connection) {
  const members = MEMBERS.in(connection);
  /** Returns ids of members whose mark is due, in its order; skips documents of a newer schema. */
  const markedBy = async (mark: Mark, times: DueTimes, limit: number, takes?: IdFilter) => {
    const marked = await readDue(mark, times, limit, (filter, most) => {
      const found = members
        .find({ ...filter, ...readable(MEMBERS.schema) } as never, { projection: { _id: 1 } })
        .sort({ [mark]: 1 });
      return takes ? firstMatching(found, most, takes) : found.limit(most).toArray();
    });
    return marked.map(({ _id }) => _id);
  };
  /** Returns a batch of member ids in order. */
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
    /** Returns the newest friends of a referrer. */
    newestFriends: (referrerId: string, limit: number) =>
      members
        .find({ 'referredBy.userId': referrerId }, { projection: { outbox: 0, parked: 0, commission: 0 } })
        .sort({ 'referredBy.atMs': -1 })
        .limit(limit)
        .toArray() as Promise<Member[]>,
    /** Returns the held amount of all friends of a referrer, micro-CORD. */
    async heldMicroOf(referrerId: string) {
      const held = { 'referredBy.userId': referrerId, 'friend.heldMicro': { $gt: 0n } };
      const summed = members.aggregate<{ micro: bigint | number }>([
        { $match: held },
        { $group: { _id: null, micro: { $sum: '$friend.heldMicro' } } },
      ]);
      return BigInt((await summed.toArray())[0]?.micro ?? 0);
    },
    /** Returns ids of a referrer's friends at these addresses, or of all; in order, after a given id. */
    async friendsAt(referrerId: string, keys: readonly string[] | null, after: string) {
      const where = keys ? { 'address.key': { $in: [...keys] } } : {};
      return idsOf({ 'referredBy.userId': referrerId, ...where, _id: { $gt: after } });
    },
    /** Returns ids of a referrer's friends with a hold; in order, after a given id. */
    async heldFriends(referrerId: string, after: string) {
      const { from, to } = holdRange('held', null);
      return idsOf({ 'referredBy.userId': referrerId, holdKey: { $gt: from, $lt: to }, _id: { $gt: after } });
    },
    /** Returns friends by the state of their hold, ordered by its start, after a cursor. */
    async holds(state: HoldState, { after, limit }: { after: string | null; limit: number }) {
      const { from, to, order } = holdRange(state, after);
      const found = members.find({ holdKey: { $gt: from, $lt: to } }).sort({ holdKey: order });
      return (await found.limit(limit).toArray()).map(MEMBERS.read) as Member[];
    },
    memberByCode: async (code: string) => (await members.findOne({ code })) as Member | null,
    /** Returns members by id. */
    async membersById(ids: readonly string[]) {
      const found = (await members.find({ _id: { $in: [...ids] } }).toArray()) as Member[];
      return new Map(found.map((member) => [member._id, member]));
    },
    /** Returns referrers with due commission, longest due first. */
    due: (times: DueTimes, limit: number) => markedBy('dueAt', times, limit),
    /** Returns friends whose wait for the 86 CORD is over by that time, longest over first. */
    bonusesDue: (byMs: number, limit: number) => markedBy('bonusAt', { byMs, aheadMs: Number.MAX_SAFE_INTEGER }, limit),
    /** Returns friends whose books are due for a check, longest due first. */
    dueForCheck: (times: DueTimes, limit: number, takes?: IdFilter) => markedBy('againAt', times, limit, takes),
    /** Returns users with a code from sign-in due for a retry, longest due first. */
    waitingCodes: (times: DueTimes, limit: number) => markedBy('codeAt', times, limit),
  };
}
