import { type DueTimes, isDue } from '@cord/kit/store/due';
import { type Versioned, type VersionedDocuments, withoutAnswer } from '@cord/kit/versioned';
import type { BucketHead, Line } from '../domain/sums.js';
import { newMember } from '../member.js';
import type { ReferralStore } from '../store.js';

/** What a process may touch: each call is one step, before which another process may run, or this one may die. */
export type Step = (what: string) => Promise<void>;

/** All that survives a crash. */
export interface Disk {
  members: Map<string, ReturnType<typeof newMember>>;
  /** Buckets by referrer and place. */
  sums: Map<string, Omit<BucketHead, 'line'> & { lines: Record<string, Line> }>;
}

export const newDisk = (): Disk => ({ members: new Map(), sums: new Map() });

/** The store of one process over a disk: compare-and-set as the true one does it, each read and write a step. */
export function memoryStore(disk: Disk, step: Step): ReferralStore {
  const documents = <D extends Versioned>(name: string, stored: Map<string, D>, empty: (id: string) => D) => {
    const get = async (id: string): Promise<D | null> => {
      await step(`read ${name}`);
      return structuredClone(stored.get(id) ?? null);
    };
    const change: VersionedDocuments<D>['change'] = async (id, work) => {
      for (;;) {
        const before = (await get(id)) ?? empty(id);
        const { doc, result } = work(before);
        if (doc === null) return result;
        await step(`write ${name}`);
        if ((stored.get(id)?.seq ?? 0n) !== before.seq) continue;
        stored.set(id, structuredClone({ ...doc, _id: id, seq: before.seq + 1n }));
        return result;
      }
    };
    const update: VersionedDocuments<D>['update'] = (id, work) => change(id, withoutAnswer(work));
    return { get, change, update };
  };
  return {
    members: documents('members', disk.members, newMember),
    sums: memorySums(disk, step),
    newestFriends: async () => [],
    heldMicroOf: async () => 0n,
    holds: async () => [],
    async friendsAt(referrerId, keys, after) {
      await step('read friends');
      const friends = [...disk.members.values()].filter(({ referredBy }) => referredBy?.userId === referrerId);
      const there = friends.filter(({ _id, address }) => _id > after && (!keys || keys.includes(address.key ?? '')));
      return there.map(({ _id }) => _id).sort();
    },
    async heldFriends(referrerId, after) {
      await step('read held friends');
      const friends = [...disk.members.values()].filter(({ referredBy }) => referredBy?.userId === referrerId);
      return friends.flatMap(({ _id, holdKey }) => (_id > after && holdKey?.startsWith('held-') ? [_id] : [])).sort();
    },
    async bonusesDue(byMs, limit) {
      await step('read bonuses');
      const due = [...disk.members.values()].filter(({ bonusAt = Infinity }) => bonusAt <= byMs);
      return due.slice(0, limit).map(({ _id }) => _id);
    },
    async lookAgain(times, limit) {
      await step('read marks');
      const due = [...disk.members.values()].filter(({ againAt }) => has(againAt, times));
      return due
        .sort((a, b) => Number(a.againAt) - Number(b.againAt))
        .slice(0, limit)
        .map(({ _id }) => _id);
    },
    memberByCode: async (code) => [...disk.members.values()].find((member) => member.code === code) ?? null,
    membersById: async (ids) =>
      new Map(ids.flatMap((id) => (disk.members.has(id) ? [[id, disk.members.get(id) as never]] : []))),
    async due(times, limit) {
      await step('read due');
      const due = [...disk.members.values()].filter(({ dueAt }) => has(dueAt, times));
      return due
        .sort((a, b) => Number(a.dueAt) - Number(b.dueAt))
        .slice(0, limit)
        .map(({ _id }) => _id);
    },
    waitingCodes: async () => [],
  };
}

function has(mark: number | undefined, times: DueTimes): boolean {
  return mark !== undefined && isDue(mark, times);
}

function memorySums({ sums }: Disk, step: Step): ReferralStore['sums'] {
  return {
    async bucket(referrerId, index, friendId) {
      await step('read bucket');
      const found = sums.get(`${referrerId}:${index}`);
      if (!found) return null;
      const { lines, ...head } = structuredClone(found);
      return { ...head, line: (friendId && lines[friendId]) || null };
    },
    async addBucket(referrerId, index, head, lines) {
      await step('add bucket');
      const { seq, size, friends, sumMicro } = head;
      if (sums.has(`${referrerId}:${index}`)) return false;
      sums.set(`${referrerId}:${index}`, structuredClone({ seq, size, friends, sumMicro, lines }));
      return true;
    },
    async moveLine(referrerId, index, friendId, before, { line, ...head }) {
      await step('move line');
      const found = sums.get(`${referrerId}:${index}`);
      if (found?.seq !== before) return false;
      sums.set(`${referrerId}:${index}`, structuredClone({ ...head, lines: { ...found.lines, [friendId]: line } }));
      return true;
    },
    async countedIn(referrerId, index, friendIds) {
      await step('read lines');
      const { lines = {} } = sums.get(`${referrerId}:${index}`) ?? {};
      const found = Object.entries(lines).filter(([friendId]) => friendIds.includes(friendId));
      return new Map(found.map(([friendId, { countedMicro }]) => [friendId, countedMicro]));
    },
    async tally(referrerId) {
      const tally = { sumMicro: 0n, friends: 0 };
      // One after the other: others write between two of them.
      for (const id of [...sums.keys()].filter((each) => each.startsWith(`${referrerId}:`))) {
        await step('read head');
        tally.sumMicro += sums.get(id)?.sumMicro ?? 0n;
        tally.friends += sums.get(id)?.friends ?? 0;
      }
      return tally;
    },
  };
}
