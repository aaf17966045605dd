import { collection } from '@cord/kit/collection';
import type { Schemed } from '@cord/kit/document-schema';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import { firstMatching, type IdFilter } from '@cord/kit/store/first-matching';
import type { Versioned } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import { WARNING_WAIT_MS_MAX } from '../pace.js';

/** What is kept of one user beside the notices. */
export interface PersonDoc extends Versioned, Schemed {
  /** Deleted: what still arrives makes no notice. */
  erased?: true;
  /** The streak as its owner published it last, by the version of that. */
  streak?: { seq: bigint; dayKey: string; days: number };
  /** The UTC day on whose evening the streak is looked at next: it ends with that day unless the user checks in, or the day is excused; gone once it has ended. */
  closesOn?: string;
  /** What friends bring, as its owner published it last, by the version of that; the last UTC day on which that may have been more than before. */
  commission?: { seq: bigint; friends: number; earningsMicro: string; roseOn: string };
  /** The first UTC day whose commission is to be noticed once it is over. */
  commissionOn?: string;
  /** When the running node is looked at again, for the warning before it pauses, ms since epoch; gone while there is none, or no device. */
  warnAtMs?: number;
  /** The pause that was warned of last, `session.leaseUntilMs`: each once; and while that is under way, how far it has come. */
  warned?: { of: string; tries?: number; to?: string[] };
  /** Epochs, by `newsKeyOf`, whose notice was read, and when, ms since epoch. */
  epochsRead?: Record<string, number>;
  /** The latest sign-in from a new device that came while `security` was off, ms since epoch: the next event has it again. */
  securityOffAtMs?: number;
  /** Versions of rule books whose notice was read, and when, ms since epoch. */
  rulesRead?: Record<string, number>;
}

export const PEOPLE = collection<PersonDoc>({
  name: 'people',
  document: 'record of notices',
  indexes: [
    { key: { closesOn: 1 }, sparse: true },
    { key: { commissionOn: 1 }, sparse: true },
    { key: { warnAtMs: 1 }, sparse: true },
  ],
  empty: (_id) => ({ _id, seq: 0n }),
  tombstone: ({ _id, seq, erased }) => (erased ? null : { _id, seq, erased: true }),
});

export type People = ReturnType<typeof openPeople>;

export function openPeople(connection: Connection) {
  const people = PEOPLE.in(connection);
  const upTo = async (field: 'closesOn' | 'commissionOn', day: string, limit: number, takes: IdFilter) => {
    const found = people.find({ [field]: { $lte: day } }).sort({ [field]: 1 });
    return ((await firstMatching(found, limit, takes)) as PersonDoc[]).map(PEOPLE.read);
  };
  const docs = PEOPLE.versioned(connection);
  return {
    docs,
    /** Sign-ins up to that one came while `security` was off: none of them is noticed later. */
    noteSecurityOff: (userId: string, securityOffAtMs: number): Promise<void> =>
      docs.update(userId, (person) =>
        person.erased || (person.securityOffAtMs ?? 0) >= securityOffAtMs ? null : { ...person, securityOffAtMs },
      ),
    isErased: async (userId: string) =>
      (await people.findOne({ _id: userId }, { projection: { erased: 1 } }))?.erased === true,
    /** Those whose streak closes on that day or closed before it, the longest first. */
    closing: (upToDay: string, limit: number, takes: IdFilter) => upTo('closesOn', upToDay, limit, takes),
    /** Those whose commission of that day, or of one before it, is to be notified. */
    dueForCommission: (upToDay: string, limit: number, takes: IdFilter) => upTo('commissionOn', upToDay, limit, takes),
    /** Those whose node is to be looked at, the longest waiting first. */
    async toWarn(nowMs: number, limit: number, takes: IdFilter) {
      const found = await firstDue(people, 'warnAtMs', dueTimes(nowMs, WARNING_WAIT_MS_MAX), limit, takes);
      return (found as PersonDoc[]).map(PEOPLE.read);
    },
  };
}
