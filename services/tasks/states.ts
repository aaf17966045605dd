import { checkinPerformed, taskCompleted } from '@cord/contracts/events/tasks';
import { eventItem } from '@cord/kit/outbox/items';
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
        return last
          ? [eventItem(taskCompleted, originOf(record, 'task', last[1].atMs), completedState(record, last[0]))]
          : [];
      },
    }),
    stateSource<StreakDocument>({
      collection: STREAKS,
      kinds: [checkinPerformed],
      isGone: ({ erased }) => erased === true,
      tell(streak) {
        const [day] = streak.days;
        if (!day) return [];
        const origin = originOf(streak, 'checkin', Date.parse(day.dayKey));
        return [eventItem(checkinPerformed, origin, performedState(streak, day))];
      },
    }),
  ],
};

function originOf({ _id: userId, seq }: { _id: string; seq: bigint }, thing: string, atMs: number) {
  return { key: `${thing}:${userId}:state`, userId, seq, atMs };
}
