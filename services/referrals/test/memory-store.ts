import type { Versioned, VersionedDocuments } from '@cord/kit/versioned';
import { tallyOf } from '../domain/bucket.js';
import { newBucket, newMember, type ReferralStore, sumOf } from '../store.js';

/** What a process may touch: each call is one step, before which another process may run, or this one may die. */
export type Step = (what: string) => Promise<void>;

/** All that survives a crash. */
export interface Disk {
  members: Map<string, ReturnType<typeof newMember>>;
  buckets: Map<string, ReturnType<typeof newBucket>>;
}

export const newDisk = (): Disk => ({ members: new Map(), buckets: new Map() });

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
    return { get, change };
  };
  const bucketsOf = async (referrerId: string) => {
    await step('read buckets');
    return structuredClone([...disk.buckets.values()].filter((bucket) => bucket.referrerId === referrerId));
  };
  return {
    members: documents('members', disk.members, newMember),
    buckets: documents('buckets', disk.buckets, newBucket),
    bucketsOf,
    tallyOf: async (referrerId) => sumOf((await bucketsOf(referrerId)).map(tallyOf)),
    memberByCode: async (code) => [...disk.members.values()].find((member) => member.code === code) ?? null,
    membersById: async (ids) =>
      new Map(ids.flatMap((id) => (disk.members.has(id) ? [[id, disk.members.get(id) as never]] : []))),
    async dueBy(atMs, limit) {
      await step('read due');
      const due = [...disk.members.values()].filter(({ dueAt }) => dueAt !== undefined && dueAt <= atMs);
      return due
        .sort((a, b) => Number(a.dueAt) - Number(b.dueAt))
        .slice(0, limit)
        .map(({ _id }) => _id);
    },
    waitingCodes: async () => [],
    async withPayments(after, limit) {
      await step('read payments');
      const all = [...disk.members.values()].filter(({ promised = [], parked = [] }) =>
        [...promised, ...parked].some(({ source }) => source === 'commission'),
      );
      const ids = all.map(({ _id }) => _id).filter((id) => id > after);
      return ids.sort().slice(0, limit);
    },
  };
}
