import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../dev/starter/paths.mjs';
import { cpuMsOf, measured } from './cpu-time.mjs';

const TIMEOUT_MS_DEFAULT = 1_200_000;

/**
 * Runs one suite to its end.
 * @param {import('./suites.mjs').Suite} suite
 * @param {{files: string[], env: NodeJS.ProcessEnv, onChild: (child: import('node:child_process').ChildProcess) => void}} given
 * @returns {Promise<{passed: number, failed: number, skipped: number, ms: number, cpuMs: number, output: string}>}
 */
export async function runSuite(suite, { files, env, onChild }) {
  const startedMs = Date.now();
  const outcome = suite.command
    ? await runCommand(suite, { env, onChild })
    : await runVitest(suite, files, { env, onChild });
  return { skipped: 0, ...outcome, ms: Date.now() - startedMs };
}

async function runCommand({ command, timeoutMs }, { env, onChild }) {
  const { code, ...told } = await runNode(command, { env, onChild, timeoutMs });
  const [, passed, failed] = closingLine(told.output) ?? [];
  if (passed === undefined) return { passed: 0, failed: 1, ...told };
  return { passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1), ...told };
}

/** @returns {RegExpMatchArray | undefined} the last line `N passed, N failed` of an output */
export function closingLine(output) {
  return [...output.matchAll(/^(\d+) passed, (\d+) failed\s*$/gm)].at(-1);
}

async function runVitest({ project = 'node', timeoutMs }, files, { env, onChild }) {
  const folder = await mkdtemp(join(tmpdir(), 'cord-suite-'));
  const report = join(folder, 'report.json');
  try {
    const { code, ...told } = await runNode(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...files,
      ],
      { env, onChild, timeoutMs },
    );
    const text = await readFile(report, 'utf8').catch(() => undefined);
    return { ...countsOf(text === undefined ? undefined : JSON.parse(text), code), ...told };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The counts of vitest's JSON report. A file that could not be loaded, an error outside any test and a missing report
 * each count as a failure: nothing that went wrong may look like success.
 */
export function countsOf(report, exitCode) {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + broken;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function runNode(args, { env, onChild, timeoutMs = TIMEOUT_MS_DEFAULT }) {
  return new Promise((resolve) => {
    const [program, all] = measured([process.execPath, ...args]);
    const child = spawn(program, all, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], detached: true });
    onChild(child);
    const chunks = [];
    let times = '';
    child.stdio[3]?.on('data', (chunk) => {
      times += chunk;
    });
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nstopped after ${timeoutMs / 1000} s\n`));
      endGroup(child, 'SIGKILL');
    }, timeoutMs);
    child.on('error', (error) => chunks.push(Buffer.from(String(error))));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8'), cpuMs: cpuMsOf(times) });
    });
  });
}

/** Ends a suite with everything that it started. */
export function endGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has ended already, which is what the signal was for.
  }
}
