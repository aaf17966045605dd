// Replaces services/tasks/dist/data.js in the image of the next release: an expand migration with an index and
// documents derived from streaks. Whatever the previous release reads and writes is unchanged.
import { collection } from '@cord/kit/collection';
import { data as before } from './data-before.js';

const MARKS = collection({ name: 'streak_marks', indexes: [{ key: { seq: 1 } }] });
const marksOfStreaks = {
  name: 'marks-of-streaks',
  async each(store, { _id, seq }) {
    await MARKS.in(store).updateOne({ _id }, { $setOnInsert: { seq } }, { upsert: true });
  },
};

export const data = [
  ...before.map((one) =>
    one.name === 'streaks'
      ? { ...one, indexes: [...one.indexes, { key: { schemaVersion: 1, seq: 1 } }], backfills: [marksOfStreaks] }
      : one,
  ),
  MARKS,
];
