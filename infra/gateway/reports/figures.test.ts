import { createMetrics } from '@cord/kit/metrics';
import { expect, test } from 'vitest';
import { countReports, OTHER, releaseLabels } from './figures.js';

test('faults and visits are counted by published release, others in one series; series of old releases are removed', async () => {
  const metrics = createMetrics('gateway', { processFigures: false });
  let published = ['mfe_tasks 1.0.0-b', 'shell 1.0.0-s'];
  const report = countReports(metrics, (module, version) =>
    published.includes(`${module} ${version}`) ? { module, version } : { module: OTHER, version: OTHER },
  );
  const figures = async () =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => /^cord_client_/.test(line))
      .map((line) => line.replace(/^cord_client_|,service="gateway"/g, ''));
  const of = (module: string | undefined, version?: string) => ({
    ...(module !== undefined && { module }),
    versions: { shell: '1.0.0-s', ...(version !== undefined && { module: version }) },
  });
  report({
    errors: [of('mfe_tasks', '1.0.0-b'), of('mfe_tasks', '1.0.0-b'), of(undefined), of('mfe_tasks'), of('mfe_x', '7')],
    visits: [
      { module: 'mfe_tasks', version: '1.0.0-b', n: 3 },
      ...Array.from({ length: 50 }, (_, n) => ({ module: `mfe_invented_${n}`, version: `${n}`, n: 1 })),
    ],
  });
  expect(await figures()).toEqual([
    'errors_total{module="mfe_tasks",version="1.0.0-b"} 2',
    'errors_total{module="shell",version="1.0.0-s"} 1',
    'errors_total{module="other",version="other"} 2',
    'visits_total{module="mfe_tasks",version="1.0.0-b"} 3',
    'visits_total{module="other",version="other"} 50',
  ]);
  published = ['mfe_tasks 1.0.0-c', 'shell 1.0.0-s'];
  report({ errors: [], visits: [{ module: 'mfe_tasks', version: '1.0.0-c', n: 1 }] });
  expect(await figures()).toEqual([
    'errors_total{module="shell",version="1.0.0-s"} 1',
    'errors_total{module="other",version="other"} 2',
    'visits_total{module="other",version="other"} 50',
    'visits_total{module="mfe_tasks",version="1.0.0-c"} 1',
  ]);
});

test('labels name only published versions; all others are “other”, with their module if that is published', () => {
  const line = {
    seq: 2,
    action: 'publish',
    version: '1-b',
    from: '1-a',
    when: '',
    who: 'ann',
    by: 'person' as const,
    canary: { version: '1-c', share: 0.1 },
  };
  const labelsOf = releaseLabels(() => ({ mfe_tasks: line }));
  expect(['1-a', '1-b', '1-c', '1-x'].map((version) => labelsOf('mfe_tasks', version).version)).toEqual([
    ...['1-a', '1-b', '1-c'],
    OTHER,
  ]);
  for (const invented of ['mfe_x', '__proto__', 'constructor'])
    expect(labelsOf(invented, '1-b')).toEqual({ module: OTHER, version: OTHER });
});
