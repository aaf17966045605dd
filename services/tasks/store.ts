import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { collection } from '@cord/kit/collection';
import { eventItem, type OutboxCredit, type WithOutbox, withItem, withoutOutbox } from '@cord/kit/outbox/items';
import type { Versioned, VersionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import { newRecord, type TaskRecord } from './domain/record.js';
import { type CheckinDay, newStreak, type Streak } from './domain/streak.js';

/** Claims counted by one process on one day, by task and tier (claimed.ts). */
interface ClaimedDoc {
  _id: string;
  dayKey: string;
  byTask: Record<string, bigint>;
}

export const CLAIMED = collection<ClaimedDoc>({ name: 'claimed' });

interface Erasable extends WithOutbox {
  /** Tombstone of an erased user: later events and claims are ignored (services/README.md#erasure). */
  erased?: true;
}

/** One user's task record. */
export type RecordDocument = Erasable & Omit<TaskRecord, 'userId' | 'seq'>;
/** One user's check-ins. */
export type StreakDocument = Erasable & Omit<Streak, 'userId' | 'seq'>;

const emptyRecord = (id: string): RecordDocument => withoutUser(newRecord(id));
const emptyStreak = (id: string): StreakDocument => withoutUser(newStreak(id));

/** The stream of tasks holds each user's last completed task and last check-in. */
export const RECORDS = collection<RecordDocument>({
  name: 'records',
  document: 'task record',
  outbox: 'credits',
  empty: emptyRecord,
  tombstone: ({ _id }) => ({ ...emptyRecord(_id), erased: true }),
  states: [
    {
      kinds: [taskCompleted],
      items(record) {
        const [last] = Object.entries(record.claims).sort(([, one], [, other]) => other.atMs - one.atMs);
        return last
          ? [eventItem(taskCompleted, originOf(record, 'task', last[1].atMs), completedState(record, last[0]))]
          : [];
      },
    },
  ],
});

export const STREAKS = collection<StreakDocument>({
  name: 'streaks',
  document: 'streak',
  outbox: 'credits',
  empty: emptyStreak,
  tombstone: ({ _id }) => ({ ...emptyStreak(_id), erased: true }),
  states: [
    {
      kinds: [checkinPerformed],
      items(streak) {
        const [day] = streak.days;
        if (!day) return [];
        const origin = originOf(streak, 'checkin', Date.parse(day.dayKey));
        return [eventItem(checkinPerformed, origin, performedState(streak, day))];
      },
    },
  ],
});

function originOf({ _id: userId, seq }: { _id: string; seq: bigint }, thing: string, atMs: number) {
  return { key: `${thing}:${userId}:state`, userId, seq, atMs };
}

export interface TaskStore {
  records: VersionedDocuments<RecordDocument>;
  streaks: VersionedDocuments<StreakDocument>;
}

/** Opens the collections of records and streaks. */
export function openStore(connection: Connection): TaskStore {
  return { records: RECORDS.versioned(connection), streaks: STREAKS.versioned(connection) };
}

function withoutUser<T extends { userId: string; seq: bigint }>({
  userId,
  ...fields
}: T): Versioned & Omit<T, 'userId'> {
  return { ...fields, _id: userId };
}

/** Returns the task record of a document. */
export function toRecord(document: RecordDocument): TaskRecord {
  const { _id, erased: _e, ...fields } = withoutOutbox(document);
  return { ...fields, userId: _id };
}

/** Returns the streak of a document. */
export function toStreak(document: StreakDocument): Streak {
  const { _id, erased: _e, ...fields } = withoutOutbox(document);
  return { ...fields, userId: _id };
}

/** Returns the document after a claim, with the credit and the event. */
export function afterClaim(
  before: RecordDocument,
  record: TaskRecord,
  credit: OutboxCredit,
  taskId: string,
  nowMs: number,
): RecordDocument {
  const { userId, seq: _seq, ...fields } = record;
  const origin = { key: `task:${credit.key}`, userId, seq: before.seq + 1n, atMs: nowMs };
  const event = eventItem(taskCompleted, origin, completedState(record, taskId));
  return withItem(withItem({ ...before, ...fields }, event, nowMs), credit, nowMs);
}

/** Payload of task.completed: the task's last claim, and the number of tasks that the user completed. */
function completedState({ claims, completed }: Pick<TaskRecord, 'claims' | 'completed'>, taskId: string) {
  const claim = claims[taskId];
  return { taskId, rewardMicro: String(claim?.rewardMicro ?? 0n), claimedAt: claim?.atMs ?? 0, completed };
}

/** Payload of checkin.performed for the day of the last check-in. */
function performedState({ longestStreak, totalCheckIns }: Omit<Streak, 'userId' | 'seq'>, day: CheckinDay) {
  return {
    dayKey: day.dayKey,
    streak: day.streak,
    longestStreak,
    totalCheckIns,
    rewardMicro: day.rewardMicro.toString(),
    bonusMicro: day.bonusMicro.toString(),
  };
}

/** Returns the document after a check-in, with the credit and the event. */
export function afterCheckin(
  before: StreakDocument,
  streak: Streak,
  day: CheckinDay,
  credit: OutboxCredit,
  nowMs: number,
): StreakDocument {
  const { userId, seq: _seq, ...fields } = streak;
  const origin = { key: `checkin:${credit.key}`, userId, seq: before.seq + 1n, atMs: nowMs };
  const event = eventItem(checkinPerformed, origin, performedState(streak, day));
  return withItem(withItem({ ...before, ...fields }, event, nowMs), credit, nowMs);
}
