import { anticheatAssessed } from '@cord/contracts/events/user';
import { ANTICHEAT_RECHECK_MS } from '@cord/contracts/rules/timings';
import { collection } from '@cord/kit/collection';
import { addToOutbox, eventItem, type OutboxEvent } from '@cord/kit/outbox/items';
import { dueTimes, firstDue } from '@cord/kit/store/due';
import type { IdFilter } from '@cord/kit/store/first-matching';
import { insertOnce } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import type { NetworkStanding, PastAssessment } from './port.js';

/** The anti-cheat assessment of one user, with its events. */
export interface AssessmentDoc extends NetworkStanding {
  _id: string;
  /** Whether the user has mined one hour in total. */
  hourMined: boolean;
  /** Time of the next check by the sweep, ms; null when no address counts. */
  recheckAtMs: number | null;
  /** Addresses that the user left or joined whose other users are not yet assessed; `seq` is that of the latest move. */
  moved?: { seq: number; addresses: string[] };
  /** The results of the last 30 days and the one before, oldest first; absent before the first change. */
  history?: PastAssessment[];
  seq: number;
  outbox: OutboxEvent[];
  dirtyAt?: number;
}

export type AssessmentChange = Partial<Omit<AssessmentDoc, '_id' | 'seq' | 'outbox' | 'dirtyAt'>>;

export type AssessmentStore = ReturnType<typeof createAssessmentStore>;

export const ASSESSMENTS = collection<AssessmentDoc>({
  name: 'assessments',
  document: 'assessment',
  indexes: [
    { key: { addressHash: 1 }, sparse: true },
    { key: { recheckAtMs: 1 }, sparse: true },
  ],
  outbox: 'events',
  // Nothing was published before the first assessment.
  states: [{ kinds: [anticheatAssessed], items: (doc) => (doc.seq > 0 ? [assessedItem(readAssessment(doc))] : []) }],
});

/** Builds anticheat.assessed of an assessment. */
export function assessedItem(doc: AssessmentDoc): OutboxEvent {
  return eventItem(
    anticheatAssessed,
    { userId: doc._id, seq: doc.seq, atMs: doc.checkedAtMs },
    {
      level: doc.penaltyLevel,
      factorHundredths: doc.efficiencyHundredths,
      isFlagged: doc.isFlagged,
      usersOnAddress: doc.totalUsersOnIp,
      addressKey: doc.addressHash,
      hourMined: doc.hourMined,
    },
  );
}

/** Reads a stored assessment. A sparse index includes null, so a user without a next check has no such field. */
function readAssessment(doc: AssessmentDoc): AssessmentDoc {
  return { ...doc, recheckAtMs: doc.recheckAtMs ?? null };
}

export function createAssessmentStore(connection: Connection) {
  const assessments = ASSESSMENTS.in(connection);
  return {
    async of(userId: string) {
      const doc = await assessments.findOne({ _id: userId });
      return doc && readAssessment(doc);
    },
    /** Returns the assessments of these users, by id. */
    async among(userIds: readonly string[]): Promise<Map<string, AssessmentDoc>> {
      if (userIds.length === 0) return new Map();
      const docs = await assessments.find({ _id: { $in: [...userIds] } }).toArray();
      return new Map(docs.map((doc) => [doc._id, readAssessment(doc)]));
    },
    /** Inserts a user's first assessment unless there is one. */
    async open(first: AssessmentDoc) {
      const { recheckAtMs: _none, ...opened } = first;
      await insertOnce(() => assessments.insertOne(opened as AssessmentDoc));
    },
    /** Compare-and-set on seq; false after a concurrent write. */
    async change(
      before: AssessmentDoc,
      { recheckAtMs, ...change }: AssessmentChange,
      events: OutboxEvent[],
      nowMs: number,
    ) {
      const recheck = typeof recheckAtMs === 'number' ? { recheckAtMs } : {};
      const noRecheck = recheckAtMs === null ? { $unset: { recheckAtMs: '' as const } } : {};
      const published = events.length > 0 ? { outbox: events.reduce(addToOutbox, before.outbox), dirtyAt: nowMs } : {};
      const { matchedCount } = await assessments.updateOne(
        { _id: before._id, seq: before.seq },
        { $set: { ...change, ...recheck, seq: before.seq + 1, ...published }, ...noRecheck },
      );
      return matchedCount === 1;
    },
    /** Marks the others at the addresses as assessed, unless the user has moved again. A user who counts nowhere is no longer due. */
    async settle(userId: string, moveSeq: number) {
      const move = { _id: userId, 'moved.seq': moveSeq };
      await assessments.updateOne({ ...move, addressHash: null }, { $unset: { recheckAtMs: '' } });
      await assessments.updateOne(move, { $unset: { moved: '' } });
    },
    /** Counts the users at an address, at most `limit` if given. */
    countAt: (addressHash: string, limit?: number) =>
      assessments.countDocuments({ addressHash }, limit === undefined ? {} : { limit }),
    /** Returns users who count at an address, by id, from `after` on. */
    async usersAt(addressHash: string, after: string | null, limit: number) {
      const filter = after === null ? { addressHash } : { addressHash, _id: { $gt: after } };
      const docs = await assessments
        .find(filter, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return docs.map((doc) => doc._id);
    },
    /** Makes every user at an address due for a check. Raises seq, so that earlier reads of them can no longer be written. */
    async makeDue(addressHash: string, nowMs: number) {
      await assessments.updateMany({ addressHash }, { $set: { recheckAtMs: nowMs }, $inc: { seq: 1 } });
    },
    /** Returns users whose next check is due, longest due first. */
    async dueForCheck(nowMs: number, limit: number, takes: IdFilter = () => true) {
      const times = dueTimes(nowMs, ANTICHEAT_RECHECK_MS);
      const due = await firstDue(assessments, 'recheckAtMs', times, limit, takes, { projection: { _id: 1 } });
      return due.map(({ _id }) => _id);
    },
    async remove(userId: string) {
      await assessments.deleteOne({ _id: userId });
    },
  };
}
