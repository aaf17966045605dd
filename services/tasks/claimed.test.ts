import { createDaySums } from '@cord/kit/day-sums';
import { createLogger } from '@cord/kit/log';
import { expect, test } from 'vitest';
import { createClaimed } from './claimed.js';

test('while the store rejects writes, operators see the claims stored before', async () => {
  const kept = { dayKey: '2026-11-21', byName: { 'mine-1-hour': 70n, 'mine-1-hour:200': 1n } };
  const collection = {
    updateOne: () => Promise.reject(new Error('the disk is full')),
    find: () => ({ toArray: async () => [kept] }),
  };
  const parts = { clock: { onAdvance: () => () => undefined }, log: createLogger('tasks', 'silent') };
  const days = createDaySums(parts, { name: 'test', collection: collection as never, field: 'byName' });
  const claimed = createClaimed(days);
  claimed.task({ taskId: 'mine-1-hour', tierHundredths: 200n, micro: 70n, nowMs: Date.UTC(2026, 10, 21) });
  await expect(days.flush()).rejects.toThrow('the disk is full');
  const { task } = await claimed.between('2026-11-15', '2026-11-21');
  expect(task('mine-1-hour')).toEqual({ count: 1, paidMicro: 70n, byTier: new Map([[200n, 1]]) });
});
