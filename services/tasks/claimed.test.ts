import { expect, test } from 'vitest';
import { createClaimed } from './claimed.js';

test('while nothing can be kept operators see what was kept before', async () => {
  const claimed = createClaimed({
    add: () => undefined,
    flush: () => Promise.reject(new Error('the disk is full')),
    between: async () => [{ dayKey: '2026-11-21', sums: { 'mine-1-hour': 70n, 'mine-1-hour:200': 1n } }],
    first: async () => '2026-11-21',
  });
  const { task } = await claimed.between('2026-11-15', '2026-11-21');
  expect(task('mine-1-hour')).toEqual({ count: 1, paidMicro: 70n, byTier: new Map([[200n, 1]]) });
});
