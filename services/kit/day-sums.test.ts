import { expect, test } from 'vitest';
import { createDaySums } from './day-sums.js';
import { createLogger } from './log.js';

test('the sums of a day are stored as a whole, and again until the write succeeds', async () => {
  const kept: unknown[] = [];
  let away = true;
  const collection = {
    async updateOne({ _id }: { _id: string }, { $set }: { $set: object }) {
      if (away) throw new Error('away');
      kept.push([_id.split(':')[0], $set]);
    },
  };
  const parts = { clock: { onAdvance: () => () => undefined }, log: createLogger('mining', 'silent') };
  const sums = createDaySums(parts, { name: 'test', collection: collection as never, field: 'byName' });
  sums.add('2026-11-16', 'mining', 30n);
  await expect(sums.flush()).rejects.toThrow('away');
  away = false;
  await sums.flush();
  await sums.flush();
  sums.add('2026-11-16', 'mining', 30n);
  sums.add('2026-11-17', 'task', 5n);
  await sums.stop();
  expect(kept).toEqual([
    ['2026-11-16', { dayKey: '2026-11-16', byName: { mining: 30n } }],
    ['2026-11-16', { dayKey: '2026-11-16', byName: { mining: 60n } }],
    ['2026-11-17', { dayKey: '2026-11-17', byName: { task: 5n } }],
  ]);
});
