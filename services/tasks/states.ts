import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { type StreamSources, stateSource } from '@cord/kit/republish';
import { completedState, performedState, RECORDS, type RecordDocument, STREAKS, type StreakDocument } from './store.js';

/** What stands in the stream of tasks: of each user the last task completed and the last check-in. */
export const taskStates: StreamSources = {
  CORD_TASKS: [
    stateSource<RecordDocument>({
      collection: RECORDS,
      kinds: [taskCompleted],
      isGone: ({ erased }) => erased === true,
      tell(record) {
        const [last] = Object.entries(record.claims).sort(([, one], [, other]) => other.atMs - one.atMs);
        return last ? [told(taskCompleted, record, last[1].atMs, completedState(record, last[0]))] : [];
      },
    }),
    stateSource<StreakDocument>({
      collection: STREAKS,
      kinds: [checkinPerformed],
      isGone: ({ erased }) => erased === true,
      tell(streak) {
        const [day] = streak.days;
        return day ? [told(checkinPerformed, streak, Date.parse(day.dayKey), performedState(streak, day))] : [];
      },
    }),
  ],
};

function told(kind: EventKind, { _id, seq }: { _id: string; seq: bigint }, at: number, state: object) {
  const key = `${kind.thing}:${_id}:state`;
  const payload = { v: 1, id: `${key}:${seq}`, at, userId: _id, seq: String(seq), ...state };
  return { key, seq, subject: subjectOf(kind, _id), payload };
}
