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
const alerts = new Set([...RULES.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name));

/** Names of figures in a text of queries, without what a histogram's series add; label values and descriptions are no queries. */
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
  test('name figures of the table only', () => {
    const unknown = figuresIn(text).filter((name) => !(name in METRICS) && !PROCESS_METRICS.includes(name));
    expect(unknown).toEqual([]);
    expect(figuresIn(text).length).toBeGreaterThan(10);
  });

  test('name recorded series that are recorded', () => {
    const named = text.match(/\bcord:\w+:\w+/g) ?? [];
    expect(named.filter((name) => !recorded.includes(name))).toEqual([]);
  });

  test('select a figure of the table by its own labels', () => {
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

test('each alert has its section, with all four steps, and each section its alert', () => {
  const sections = read('README.md').split(/^### /m).slice(1);
  expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual([...alerts].sort());
  for (const section of sections) {
    const steps = [...section.matchAll(/^- ([^:]+):/gm)].map(([, step]) => step);
    expect(steps).toEqual(['Check', 'Mitigate', 'Fix', 'Impact']);
  }
});

test('each alert has its urgency and the link to its section', () => {
  for (const rule of RULES.split(/^ *- (?=alert:|record:)/m).filter((one) => one.startsWith('alert:'))) {
    const name = /^alert: (\w+)/.exec(rule)?.[1] ?? '';
    expect(rule).toMatch(/severity: (page|ticket)/);
    expect(rule).toContain(`README.md#${name.toLowerCase()}`);
  }
});

test('panels of the dashboard have names of their own', () => {
  const ids = DASHBOARD.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
