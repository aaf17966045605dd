import { createMetrics } from '@cord/kit/metrics';
import type { Connection } from 'mongoose';
import { expect, test } from 'vitest';
import { measureBackup } from './backup-age.js';

/** What mining shows of data with such a backup, or without one. */
async function shown(last: object | null): Promise<string> {
  const metrics = createMetrics('mining', { processFigures: false });
  const store = { collection: () => ({ findOne: async () => last }) } as unknown as Connection;
  measureBackup(metrics, store, { now: () => 90_000 });
  return metrics.registry.metrics();
}

test('the age of the last backup is exported as a metric, but not before the first backup', async () => {
  expect(await shown({ _id: 'last', atMs: 30_000 })).toMatch(/^cord_backup_age_seconds{service="mining"} 60$/m);
  expect(await shown(null)).not.toMatch(/^cord_backup_/m);
});
