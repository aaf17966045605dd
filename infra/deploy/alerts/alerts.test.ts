import { readFileSync } from 'node:fs';
import { PROCESS_METRICS } from '@cord/kit/metrics/process';
import { METRICS } from '@cord/kit/metrics/table';
import { describe, expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const RULES = `${read('slo.yaml')}\n${read('causes.yaml')}`;
const DASHBOARD = JSON.parse(read('../dashboards/cord.json')) as {
  panels: { id: number; title: string; targets?: { expr: string }[] }[];
};
const QUERIES = DASHBOARD.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

const KNOWN: Readonly<Record<string, { labels: readonly string[] } | undefined>> = METRICS;
const recorded = [...RULES.matchAll(/- record: (\S+)/g)].map(([, name = '']) => name);
/** An alert of all objectives links to the section of its objective. */
const OF_OBJECTIVES = 'BudgetBurns';
const objectives = [...RULES.matchAll(/record: (\S+)\s+labels: \{ objective: (\w+) \}/g)];
const alerts = new Set([...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name));

/** Returns the metric names in queries, without the suffixes of histograms; label values and descriptions do not count. */
function figuresIn(text: string): string[] {
  const queries = text
    .replace(/(summary|runbook): .*/g, '')
    .replace(/#.*/g, '')
    .replace(/"[^"]*"/g, '""');
  const found = queries.match(/\b(?:cord|http|process|nodejs)_\w+/g) ?? [];
  return [...new Set(found.map((name) => (name in METRICS ? name : name.replace(/_(bucket|sum|count)$/, ''))))];
}

describe.each([
  ['the rules', RULES],
  ['the dashboard', QUERIES.join('\n')],
])('%s', (_, text) => {
  test('use only metrics of the table', () => {
    const unknown = figuresIn(text).filter((name) => !(name in METRICS) && !PROCESS_METRICS.includes(name));
    expect(unknown).toEqual([]);
    expect(figuresIn(text).length).toBeGreaterThan(10);
  });

  test('use only recorded series that exist', () => {
    const named = text.match(/\bcord:\w+:\w+/g) ?? [];
    expect(named.filter((name) => !recorded.includes(name))).toEqual([]);
  });

  test('select a metric of the table by its own labels', () => {
    const selected = [...text.matchAll(/\b((?:cord|http)_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g)];
    const wrong = selected.flatMap(([, name = '', selectors = '']) => {
      const labels = [...selectors.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label);
      const own = [...(KNOWN[name]?.labels ?? []), 'service', 'le'];
      return labels.filter((label) => !own.includes(label)).map((label) => `${name}{${label}}`);
    });
    expect(selected.length).toBeGreaterThan(3);
    expect(wrong).toEqual([]);
  });
});

test('each alert has a runbook section with all four steps, and each section has its alert', () => {
  const sections = read('README.md').split(/^### /m).slice(1);
  const about = [...alerts, ...objectives.map(([, , name = '']) => name)].filter((name) => name !== OF_OBJECTIVES);
  expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual([...new Set(about)].sort());
  for (const section of sections) {
    const steps = [...section.matchAll(/^- ([^:]+):/gm)].map(([, step]) => step);
    expect(steps).toEqual(['Check', 'Mitigate', 'Fix', 'Impact']);
  }
});

test('each alert has a severity and a link to its section', () => {
  for (const rule of RULES.split(/^ *- (?=alert:|record:)/m).filter((one) => one.startsWith('alert:'))) {
    const name = /^alert: (\w+)/.exec(rule)?.[1] ?? '';
    expect(rule).toMatch(/severity: (page|ticket)/);
    if (name === OF_OBJECTIVES) expect(rule).toMatch(/annotations: [&*]burns$/m);
    else expect(rule).toContain(`README.md#${name.toLowerCase()}`);
  }
});

test('each objective records its error budget, its counted and its failed rate', () => {
  const names = [...new Set(objectives.map(([, , name = '']) => name))];
  expect(names).toHaveLength(4);
  for (const name of names)
    expect(objectives.filter(([, , one]) => one === name).map(([, record]) => record)).toEqual([
      ...['cord:error_budget', 'cord:counted:rate5m', 'cord:failed:rate5m'],
    ]);
  expect(RULES).toContain('README.md#{{ $labels.objective | toLower }}');
});

test('panels of the dashboard have unique ids', () => {
  const ids = DASHBOARD.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
