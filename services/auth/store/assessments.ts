import { addToOutbox, type OutboxItem } from '@cord/kit/outbox';
import { isDuplicateKey } from '@cord/kit/store-errors';
import type { Connection } from 'mongoose';
import { Schema } from 'mongoose';
import type { Assessment } from '../domain/anticheat.js';

/** The anti-cheat assessment of one user, with the events that tell of it. */
export interface AssessmentDoc extends Assessment {
  _id: string;
  /** Where the user counts: most of the mining was there; null below one hour everywhere. */
  addressHash: string | null;
  addressIsShared: boolean;
  /** An admin cleared the user. */
  cleared: boolean;
  checkedAtMs: number;
  seq: number;
  outbox: OutboxItem[];
  dirtyAt: number | null;
}

export type AssessmentChange = Partial<Omit<AssessmentDoc, '_id' | 'seq' | 'outbox' | 'dirtyAt'>>;

export interface AssessmentStore {
  of(userId: string): Promise<AssessmentDoc | null>;
  /** Makes the first assessment of a user unless there is one. */
  open(first: AssessmentDoc): Promise<void>;
  /** Compare-and-set on seq; false when another replica was faster. */
  change(before: AssessmentDoc, change: AssessmentChange, events: OutboxItem[], nowMs: number): Promise<boolean>;
  /** How many users count at an address. */
  countAt(addressHash: string): Promise<number>;
  /** Users who count at an address, by id, from `after` on. */
  usersAt(addressHash: string, after: string | null, limit: number): Promise<string[]>;
  /** Users who count somewhere and were checked before that time, longest ago first. */
  dueForCheck(beforeMs: number, limit: number): Promise<string[]>;
  remove(userId: string): Promise<void>;
  ensureIndexes(): Promise<void>;
}

const number = { type: Number, required: true };
const flag = { type: Boolean, required: true };

const schema = new Schema<AssessmentDoc>(
  {
    _id: { type: String, required: true },
    addressHash: String,
    addressIsShared: flag,
    cleared: flag,
    efficiencyHundredths: number,
    penaltyLevel: number,
    isFlagged: flag,
    riskScore: number,
    totalUsersOnIp: number,
    otherUsersOnIp: number,
    userIpCount: number,
    warningMessage: String,
    checkedAtMs: number,
    seq: number,
    outbox: { type: Schema.Types.Mixed, required: true },
    dirtyAt: Number,
  },
  { collection: 'assessments', versionKey: false, strict: 'throw', minimize: false },
);
schema.index({ addressHash: 1 }, { sparse: true });
schema.index({ checkedAtMs: 1 });
schema.index({ dirtyAt: 1 }, { sparse: true });

export function createAssessmentStore(connection: Connection): AssessmentStore {
  const assessments = connection.model<AssessmentDoc>('Assessment', schema);
  return {
    async of(userId) {
      const doc = await assessments.findById(userId).lean();
      return doc ? { ...doc, addressHash: doc.addressHash ?? null, warningMessage: doc.warningMessage ?? null } : null;
    },
    async open(first) {
      try {
        await assessments.create(first);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    async change(before, change, events, nowMs) {
      const told = events.length > 0 ? { outbox: events.reduce(addToOutbox, before.outbox), dirtyAt: nowMs } : {};
      const { matchedCount } = await assessments.updateOne(
        { _id: before._id, seq: before.seq },
        { $set: { ...change, seq: before.seq + 1, ...told } },
      );
      return matchedCount === 1;
    },
    countAt: (addressHash) => assessments.countDocuments({ addressHash }),
    async usersAt(addressHash, after, limit) {
      const filter = after === null ? { addressHash } : { addressHash, _id: { $gt: after } };
      const docs = await assessments.find(filter, { _id: 1 }).sort({ _id: 1 }).limit(limit).lean();
      return docs.map((doc) => doc._id);
    },
    async dueForCheck(beforeMs, limit) {
      const docs = await assessments
        .find({ checkedAtMs: { $lte: beforeMs }, addressHash: { $ne: null } }, { _id: 1 })
        .sort({ checkedAtMs: 1 })
        .limit(limit)
        .lean();
      return docs.map((doc) => doc._id);
    },
    async remove(userId) {
      await assessments.deleteOne({ _id: userId });
    },
    async ensureIndexes() {
      await assessments.createIndexes();
    },
  };
}
