import { collection } from '@cord/kit/collection';
import type { Schemed } from '@cord/kit/document-schema';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import { firstMatching, type IdFilter } from '@cord/kit/store/first-matching';
import type { Versioned } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import { WARNING_WAIT_MS_MAX } from '../pace.js';

/** Data of one user beside the notices. */
export interface PersonDoc extends Versioned, Schemed {
  /** Erased: later events create no notice. */
  erased?: true;
  /** The streak as last published by its owner, with that version. */
  streak?: { seq: bigint; dayKey: string; days: number };
  /** The UTC day on whose evening the streak is checked next. It ends with that day unless the user checks in, or the day is excused. Absent once it has ended. */
  closesOn?: string;
  /** The commission total as last published by its owner, with that version, and the last UTC day on which it may have risen. */
  commission?: { seq: bigint; friends: number; earningsMicro: string; roseOn: string };
  /** The first UTC day whose commission is due for a notice once it is over. */
  commissionOn?: string;
  /** When the running node is checked next, for the warning before it pauses, ms since epoch; absent without a node or a device. */
  warnAtMs?: number;
  /** The pause of the last warning, `session.leaseUntilMs`, so that each is sent once; while it is in progress, also its tries and devices. */
  warned?: { of: string; tries?: number; to?: string[] };
  /** Read epochs by `announcementKeyOf`, with the time, ms since epoch. */
  epochsRead?: Record<string, number>;
  /** The latest sign-in from a new device while `security` was off, ms since epoch: later events repeat it. */
  securityOffAtMs?: number;
  /** Read rule books by version, with the time, ms since epoch. */
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
  const dueUpTo = async (field: 'closesOn' | 'commissionOn', day: string, limit: number, takes: IdFilter) => {
    const found = people.find({ [field]: { $lte: day } }).sort({ [field]: 1 });
    return ((await firstMatching(found, limit, takes)) as PersonDoc[]).map(PEOPLE.read);
  };
  const docs = PEOPLE.versioned(connection);
  return {
    docs,
    /** Notes the latest sign-in while `security` was off: earlier ones are never notified. */
    noteSecurityOff: (userId: string, securityOffAtMs: number): Promise<void> =>
      docs.update(userId, (person) =>
        person.erased || (person.securityOffAtMs ?? 0) >= securityOffAtMs ? null : { ...person, securityOffAtMs },
      ),
    isErased: async (userId: string) =>
      (await people.findOne({ _id: userId }, { projection: { erased: 1 } }))?.erased === true,
    /** People whose streak closes on or before a day, oldest first. */
    closing: (upToDay: string, limit: number, takes: IdFilter) => dueUpTo('closesOn', upToDay, limit, takes),
    /** People whose commission of a day, or of an earlier one, is due for a notice. */
    dueForCommission: (upToDay: string, limit: number, takes: IdFilter) =>
      dueUpTo('commissionOn', upToDay, limit, takes),
    /** People whose node is due for a check, longest waiting first. */
    async dueForWarning(nowMs: number, limit: number, takes: IdFilter) {
      const found = await firstDue(people, 'warnAtMs', dueTimes(nowMs, WARNING_WAIT_MS_MAX), limit, takes);
      return (found as PersonDoc[]).map(PEOPLE.read);
    },
  };
}
