import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { endGroupInOrder } from '../dev/starter/process-group.ts';
import { closingLine } from './count-reporter.ts';
import { PROOFS } from './proofs.ts';
import { closingLineOf } from './runner.ts';
import { SUITES } from './suites.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A module in the reporter's form. */
const moduleOf = (state: string, ...tests: string[]) =>
  ({
    state: () => state,
    children: { allTests: () => tests.map((one) => ({ result: () => ({ state: one }) })) },
  }) as unknown as TestModule;

describe('the closing line of vitest', () => {
  test('counts the tests of all files', () => {
    expect(
      closingLine([moduleOf('passed', 'passed', 'passed', 'skipped'), moduleOf('failed', 'failed', 'passed')], 0),
    ).toBe('3 passed, 1 failed');
  });

  test('counts a file that could not be loaded as a failure', () => {
    expect(closingLine([moduleOf('passed', 'passed'), moduleOf('failed')], 0)).toBe('1 passed, 1 failed');
  });

  test('counts an error outside any test, and a test that never ended, as a failure', () => {
    expect(closingLine([moduleOf('passed', 'passed')], 1)).toBe('1 passed, 1 failed');
    expect(closingLine([moduleOf('passed', 'passed', 'pending')], 0)).toBe('1 passed, 1 failed');
  });

  test('counts a run without a test as a failure', () => {
    expect(closingLine([], 0)).toBe('0 passed, 1 failed');
    expect(closingLine([moduleOf('skipped', 'skipped')], 0)).toBe('0 passed, 1 failed');
  });
});

test('the closing line of a suite is the last one in its output', () => {
  expect(closingLineOf('1 passed, 0 failed\nmore\n12 passed, 3 failed\n')?.slice(1)).toEqual(['12', '3']);
  expect(closingLineOf('all is well')).toBeUndefined();
  expect(closingLineOf('say 1 passed, 0 failed')).toBeUndefined();
});

test.each([
  ['at its end', ''],
  ['after a failure', 'throw new Error();'],
  ['after Ctrl-C', 'process.once("SIGINT", () => process.exit(130)); process.kill(process.pid, "SIGINT");'],
])('the temporary files of a run and its children are removed %s', (_when, ends) => {
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

test('a missing TMPDIR is reported in one line', () => {
  const env = { ...process.env, TMPDIR: join(tmpdir(), 'none') };
  const { stderr } = spawnSync(process.execPath, ['infra/test/run.mjs'], { cwd: ROOT, encoding: 'utf8', env });
  expect(stderr).toBe(
    `the tests cannot start: no temporary folder can be created: ENOENT: no such file or directory, mkdtemp '${join(env.TMPDIR, 'cord-XXXXXX')}'. Set TMPDIR to another folder.\n`,
  );
});

test('an interrupted run lets its suite shut down, and leaves no process of its group', async () => {
  const suite = spawn(
    process.execPath,
    [
      '-e',
      `const child = require('node:child_process').spawn('sleep', ['60']);
      process.once('SIGTERM', () => setTimeout(() => { console.log('taken down'); process.exit(); }, 50));
      console.log(child.pid);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const [line] = await once(suite.stdout.setEncoding('utf8'), 'data');
  const last = once(suite.stdout, 'data');
  await endGroupInOrder(suite, 10_000);
  expect(await last).toEqual(['taken down\n']);
  await expect.poll(() => statusOf(Number(line))).toBe('ended');
});

/** A killed child without a parent stays a zombie when nothing reaps it, as in a container without an init. */
function statusOf(pid: number): 'running' | 'ended' {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')) ? 'ended' : 'running';
  } catch {
    return 'ended';
  }
}

test('every file and script that a suite or a proof names exists', () => {
  const named = [...SUITES, ...PROOFS].flatMap(({ name, command }) =>
    command.filter((arg) => /\.(mjs|ts)$/.test(arg) && arg.includes('/')).map((file) => [name, file] as const),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(([, file]) => !existsSync(join(ROOT, file.replace('--reporter=', ''))))).toEqual([]);
});

test('README.md has a row for every suite and every proof, and for no other', () => {
  const rows = readFileSync(join(ROOT, 'infra/test/README.md'), 'utf8').matchAll(/^\| ([a-z][a-z, -]*?) +\|/gm);
  const named = [...rows]
    .flatMap(([, names = '']) => names.split(', '))
    .filter((name) => !['proof', 'suite', 'folder'].includes(name));
  expect(named.sort()).toEqual([...SUITES, ...PROOFS].map(({ name }) => name).sort());
});

test('every test file belongs to one project, and each project to a suite', () => {
  const tracked = execFileSync('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  const listed = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, PROOF: '1' },
  });
  const files: { file: string; projectName: string }[] = JSON.parse(listed.stdout);
  const paths = files.map(({ file }) => file.replace(`${ROOT}${ROOT.endsWith(sep) ? '' : sep}`, ''));
  expect(paths.filter((path) => tracked.includes(path)).sort()).toEqual(tracked.sort());
  const projects = new Set(files.map(({ projectName }) => projectName));
  expect([...projects].sort()).toEqual(['infra', 'isolated', 'journeys', 'screens', 'services', 'web']);
  for (const project of projects)
    expect(
      SUITES.some(({ command }) => command.includes(project)),
      project,
    ).toBe(true);
});

test('every *.proof.test.ts file is part of a proof', () => {
  const long = execFileSync('git', ['ls-files', '*.proof.test.ts'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  const named = PROOFS.filter(({ env }) => env?.PROOF === '1').flatMap(({ command }) => command);
  expect(long.length).toBeGreaterThan(5);
  expect(long.filter((file) => !named.some((part) => part.includes('/') && file.startsWith(part)))).toEqual([]);
});
