import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../../infra/build/source-files.ts';
import { METRICS, metricsOf, namesAtMetrics } from './metrics/table.js';
import { createMetrics, one } from './metrics.js';
import { shareRunning } from './shared.js';
import { namesShown } from './testing/figures.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the table of metrics', () => {
  it.each(['gateway', 'auth', 'mining', 'leaderboard', 'notices'])(
    '%s exports exactly its part of it',
    async (name) => {
      const { registry } = createMetrics(name);
      expect(namesShown(await registry.metrics())).toEqual(namesAtMetrics(name));
    },
  );

  it.each(Object.entries(METRICS))(
    '%s is set by some code, and follows the naming of Prometheus',
    (name, definition) => {
      expect(SOURCES).toContain(`'${name}'`);
      expect(name.endsWith('_total')).toBe(definition.type === 'counter');
      if (definition.type === 'histogram') expect(name).toMatch(/_(seconds|cord)$/);
      expect(definition.help).not.toBe('');
    },
  );

  it('refuses a metric of another process', () => {
    expect(() => createMetrics('tasks').counter('cord_sign_ins_total')).toThrow(/not a metric of tasks/);
    expect(metricsOf('gateway').map(([name]) => name)).not.toContain('cord_lease_held');
  });
});

describe('a gauge', () => {
  it('of an unknown value has no sample, not 0', async () => {
    const { registry } = createMetrics('mining', { processFigures: false });
    expect(await registry.metrics()).not.toMatch(/^cord_audit_drift_micro/m);
  });

  it('with several sources shows those that respond', async () => {
    const { registry, measured } = createMetrics('tasks', { processFigures: false });
    measured('cord_outbox_oldest_seconds', async () => [{ labels: { outbox: 'a' }, value: 3 }]);
    measured('cord_outbox_oldest_seconds', async () => Promise.reject(new Error('the store is away')));
    expect(await registry.metrics()).toMatch(/^cord_outbox_oldest_seconds{outbox="a",service="tasks"} 3$/m);
  });

  it('without labels has one value', async () => {
    const { registry, measured } = createMetrics('notices', { processFigures: false });
    measured('cord_streams', async () => one(7));
    expect(await registry.metrics()).toMatch(/^cord_streams{service="notices"} 7$/m);
  });
});

it('concurrent reads of one source cause one request', async () => {
  let reads = 0;
  const read = shareRunning(async () => ++reads);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(2);
});

/** All code of services and gateway but the table itself. */
const SOURCES = sourceFiles(['{services,infra/gateway}/**/*.ts', '!**/*.test.ts', '!**/table.ts'])
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');
