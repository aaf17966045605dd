import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { findBinary } from '../../dev/starter/binaries.ts';

/*
 * npm run proof -- alerts: promtool reads every rule and runs rules.test.yaml; each alert has a test in which it fires, and a
 * healthy system fires none.
 */

const folder = new URL('.', import.meta.url);
const RULES = ['slo.yaml', 'causes.yaml'];
const TESTS = 'rules.test.yaml';

/** @returns whether promtool found nothing wrong */
async function promtool(...args: string[]): Promise<boolean> {
  const program = (await findBinary('promtool')) ?? 'promtool';
  const [status] = await once(spawn(program, args, { cwd: folder, stdio: 'inherit' }), 'exit');
  return status === 0;
}

async function everyAlertIsTested() {
  const [tests = '', ...rules] = await Promise.all(
    [TESTS, ...RULES].map((name) => readFile(new URL(name, folder), 'utf8')),
  );
  const tested = new Set([...tests.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name));
  const untested = [...rules.join('').matchAll(/- alert: (\w+)/g)]
    .map(([, name]) => name)
    .filter((one) => !tested.has(one));
  for (const name of untested) console.error(`${name} fires in no test of ${TESTS}`);
  return untested.length === 0;
}

const outcomes = [
  await promtool('check', 'rules', ...RULES),
  await promtool('test', 'rules', TESTS),
  await everyAlertIsTested(),
];
const failed = outcomes.filter((passed) => !passed).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
