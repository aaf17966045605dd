import { createMetrics } from '@cord/kit/metrics';
import type { Connection } from 'mongoose';
import { expect, test } from 'vitest';
import { measureAudit } from './audit-figures.js';

/** What mining shows of a ledger that was audited so, or never. */
async function shown(last: object | null): Promise<string> {
  const metrics = createMetrics('mining', { processFigures: false });
  const store = { collection: () => ({ findOne: async () => last }) } as unknown as Connection;
  measureAudit(metrics, store, { now: () => 90_000 });
  return metrics.registry.metrics();
}

test('drift and age of the last audit are exported as metrics', async () => {
  const text = await shown({ _id: 'last', atMs: 30_000, driftMicro: -7n, accounts: 3 });
  expect(text).toMatch(/^cord_audit_drift_micro{service="mining"} -7$/m);
  expect(text).toMatch(/^cord_audit_age_seconds{service="mining"} 60$/m);
});

test('a ledger that was never audited has no audit metrics', async () => {
  expect(await shown(null)).not.toMatch(/^cord_audit_/m);
});
