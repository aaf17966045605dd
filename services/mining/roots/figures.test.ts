import { createMetrics } from '@cord/kit/metrics';
import { expect, test } from 'vitest';
import { isLate, measureRoots } from './figures.js';
import type { RecordDoc } from './store.js';

const at = (time: string) => Date.parse(`2026-11-${time}Z`);

async function shown(last: Pick<RecordDoc, 'day'> | null, nowMs: number): Promise<string> {
  const metrics = createMetrics('mining', { processFigures: false });
  measureRoots(metrics, async () => ({ lastSigned: async () => last as RecordDoc | null }), { now: () => nowMs });
  return metrics.registry.metrics();
}

test('the age of the last root counts from the end of its day', async () => {
  const text = await shown({ day: '2026-11-26' }, at('27T00:10:00'));
  expect(text).toMatch(/^cord_root_age_seconds{service="mining"} 600$/m);
});

test('without a root there is no age', async () => {
  expect(await shown(null, at('27T00:10:00'))).not.toMatch(/^cord_root_age_seconds/m);
});

test('the next root is late one hour after it was due', () => {
  expect(isLate({ day: '2026-11-26' }, at('28T01:09:59'))).toBe(false);
  expect(isLate({ day: '2026-11-26' }, at('28T01:10:00'))).toBe(true);
});
