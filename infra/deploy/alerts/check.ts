import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBinary } from '../../dev/starter/binaries.ts';
import { CASES } from './rules.fixtures.ts';

/*
 * npm run proof -- alerts: promtool parses every rule and runs rules.fixtures.ts. Each alert and each objective has a
 * case in which it fires, and a healthy system fires none.
 */

const RULES = ['slo.yaml', 'causes.yaml'].map((name) => fileURLToPath(new URL(name, import.meta.url)));

/** @returns whether promtool found no error */
async function promtool(...args: string[]): Promise<boolean> {
  const program = (await findBinary('promtool')) ?? 'promtool';
  const [status] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit');
  return status === 0;
}

/** Converts the cases to promtool's format; JSON is YAML. */
function testFile() {
  const labelsOf = (alert: string) => {
    const [alertname, severity, burn, objective] = alert.split(' ');
    const burning = burn ? `,burn="${burn}",objective="${objective}"` : '';
    return `{alertname="${alertname}",severity="${severity}"${burning}}`;
  };
  const tests = CASES.map(({ name, at, series, fires }) => ({
    name,
    interval: '1m',
    input_series: Object.entries(series).map(([each, values]) => ({ series: each, values })),
    promql_expr_test: [
      {
        expr: 'group by (alertname, severity, burn, objective) (ALERTS{alertstate="firing"})',
        eval_time: at,
        exp_samples: fires.map((alert) => ({ labels: labelsOf(alert), value: 1 })),
      },
    ],
  }));
  return JSON.stringify({ rule_files: RULES, evaluation_interval: '1m', tests });
}

async function casesHold() {
  const folder = await mkdtemp(join(tmpdir(), 'cord-alerts-'));
  try {
    await writeFile(join(folder, 'rules.test.json'), testFile());
    return await promtool('test', 'rules', join(folder, 'rules.test.json'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function everyAlertIsTested() {
  const rules = await Promise.all(RULES.map((file) => readFile(file, 'utf8')));
  const tested = new Set(CASES.flatMap(({ fires }) => fires.flatMap((alert) => alert.split(' '))));
  const untested = [...rules.join('').matchAll(/(?:- alert|objective): (\w+)/g)]
    .map(([, name = '']) => name)
    .filter((one) => !tested.has(one));
  for (const name of untested) console.error(`no case fires ${name}`);
  return untested.length === 0;
}

const outcomes = [await promtool('check', 'rules', ...RULES), await casesHold(), await everyAlertIsTested()];
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
