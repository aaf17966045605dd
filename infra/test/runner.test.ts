import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

const from = (file: string): Promise<Record<string, ReturnType<typeof JSON.parse>>> =>
  import(new URL(`./${file}.mjs`, import.meta.url).href);
const { countsOf, closingLine } = await from('run-suite');
const { cpuMsOf, measured } = await from('cpu-time');
const { filesBySuite, SUITES } = await from('suites');
const { PROOFS } = await from('proofs');

describe('the counts of a suite', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [] as object[],
  };

  test('are those of its report', () => {
    expect(countsOf(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
    expect(countsOf({ ...report, numFailedTests: 2, numPendingTests: 1 }, 1)).toEqual({
      passed: 3,
      failed: 2,
      skipped: 1,
    });
  });

  test('count a file that could not be loaded as a failure', () => {
    const testResults = [{ status: 'failed', assertionResults: [] }];
    expect(countsOf({ ...report, testResults }, 1)).toMatchObject({ failed: 1 });
  });

  test('count an error outside any test as a failure', () => {
    expect(countsOf(report, 1)).toMatchObject({ failed: 1 });
  });

  test('count a missing report as a failure', () => {
    expect(countsOf(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('of a command stand in its last closing line', () => {
    expect(closingLine('1 passed, 0 failed\nmore\n12 passed, 3 failed\n')?.slice(1)).toEqual(['12', '3']);
    expect(closingLine('all is well')).toBeUndefined();
    expect(closingLine('say 1 passed, 0 failed')).toBeUndefined();
  });
});

describe('what a suite takes of a core', () => {
  const BUSY = 'const end = process.cpuUsage().user + 100_000; while (process.cpuUsage().user < end);';

  test('is read from both lines of `times`, user and system', () => {
    expect(cpuMsOf('0m0.010s 0m0.020s\n1m2.500s 0m0.470s\n')).toBe(63_000);
    expect(cpuMsOf('')).toBe(0);
  });

  test('holds what its own processes took, and its exit code stays its own', () => {
    const parent = `require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(BUSY)}]); process.exit(7);`;
    const [program, args] = measured([process.execPath, '-e', parent]);
    const { status, output } = spawnSync(program, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    expect(status).toBe(7);
    expect(cpuMsOf(output[3])).toBeGreaterThanOrEqual(90);
  });
});

test.each([
  ['at its end', ''],
  ['after a failure', 'throw new Error();'],
  ['after Ctrl-C', 'process.once("SIGINT", () => process.exit(130)); process.kill(process.pid, "SIGINT");'],
])('what a run and its children write for the time being is gone %s', (_when, ends) => {
  const from = JSON.stringify(new URL('./temp-folder.mjs', import.meta.url).href);
  const child = JSON.stringify(['-e', 'fs.mkdtempSync(os.tmpdir() + "/left-"); console.log(os.tmpdir())']);
  const run = `
    import { execFileSync } from 'node:child_process';
    import { ownTempFolder } from ${from};
    ownTempFolder();
    console.log(execFileSync(process.execPath, ${child}, { encoding: 'utf8' }));
    setTimeout(() => undefined, ${ends.includes('kill') ? 60_000 : 0});
    ${ends}`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', run], { encoding: 'utf8' });
  const folder = stdout.trim();
  expect(folder, stderr).toMatch(new RegExp(`^${join(tmpdir(), 'cord-')}[^${sep}]+$`));
  expect(existsSync(folder)).toBe(false);
});

test('every long form that runs files has some', async () => {
  const files: Map<string, string[]> = await filesBySuite(PROOFS);
  for (const proof of PROOFS) if (proof.files) expect(files.get(proof.name)?.length, proof.name).toBeGreaterThan(0);
});

test('every suite of files has some, and this file is in one', async () => {
  const files: Map<string, string[]> = await filesBySuite(SUITES);
  for (const suite of SUITES.filter((one: { files?: unknown }) => one.files)) {
    expect(files.get(suite.name)?.length, suite.name).toBeGreaterThan(0);
  }
  const all = [...files.values()].flat();
  expect(all.filter((file) => file === 'infra/test/runner.test.ts')).toHaveLength(1);
  expect(new Set(all).size).toBe(all.length);
});
