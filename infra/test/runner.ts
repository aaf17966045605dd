import { type ChildProcess, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { relative, resolve } from 'node:path';
import { git } from '../build/git.ts';
import { requireBinary } from '../dev/starter/binaries.ts';
import { buildNodePackages, buildWeb } from '../dev/starter/build.ts';
import { natsBinary } from '../dev/starter/nats.ts';
import { ROOT } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { endGroup, endGroupInOrder } from '../dev/starter/process-group.ts';
import { chromiumBinary } from './chromium.ts';
import { Processes, startStore } from './kit/processes.ts';
import { PROOFS } from './proofs.ts';
import { AT_ONCE, type Need, SUITES, type Suite, vitest } from './suites.ts';

/** Timeout for a hanging suite. The longest one took 36 minutes on a machine of half the speed, busy with other suites. */
const TIMEOUT_MS_DEFAULT = 3_600_000;
/** Time to stop, for a proof that must take down containers. */
const STOP_MS_MAX = 60_000;
/** Niceness of all suites but the first, so that the longest sequential one does not finish last. */
const NICE_OF_OTHERS = 5;

const fromDebian = (name: string, debianPackage = name) =>
  requireBinary({ name, debianPackage, otherwise: 'Install it, or run as root on Debian.' });
const PROGRAMS: Partial<Record<Need, () => unknown>> = {
  git: async () => {
    await fromDebian('git');
    git(ROOT, 'ls-files', '--error-unmatch', 'package.json');
  },
  'nats-server': natsBinary,
  chromium: chromiumBinary,
  promtool: () => fromDebian('promtool', 'prometheus'),
  nginx: () => fromDebian('nginx'),
  strace: () => fromDebian('strace'),
  podman: async () => {
    for (const name of ['podman', 'runc', 'netavark', 'aardvark-dns', 'iptables', 'docker-compose'])
      await fromDebian(name);
    await fromDebian('busybox', 'busybox-static');
  },
};

interface Outcome {
  passed: number;
  failed: number;
}

/**
 * @param args of `npm test`: names of suites; `--proof` and names of proofs; `--of` and folders
 * @returns the exit code: 1 when a test failed or a suite had none
 * @throws {StartError} naming an unknown suite
 */
export async function runSuites(args: string[]): Promise<number> {
  const startedMs = Date.now();
  const { suites, atOnce } = chosen(args);
  const needs = new Set(suites.flatMap((suite) => suite.needs ?? []));
  const { web } = await prepare(needs);
  const own = await Processes.create();
  const store = needs.has('store') ? await startStore(own) : undefined;
  if (store) console.log(`document store: ${store.description}`);
  const running = new Set<ChildProcess>();
  let isStopping = false;
  const stop = async () => {
    if (isStopping) for (const child of running) endGroup(child);
    isStopping = true;
    await Promise.all([...running].map((child) => endGroupInOrder(child, STOP_MS_MAX)));
    await own.close();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  const outcomes: Outcome[] = [];
  const waiting = suites.values();
  const work = async () => {
    for (const suite of waiting) {
      if (isStopping) return;
      if (suite.needs?.includes('web')) await web;
      outcomes.push(await runSuite(suite, suiteEnvironment(store?.uri), running));
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await own.close();
  }
  const sum = (field: keyof Outcome) => outcomes.reduce((total, outcome) => total + outcome[field], 0);
  console.log(`all suites ${seconds(Date.now() - startedMs)}`);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 ? 1 : 0;
}

function chosen(args: string[]): { suites: Suite[]; atOnce: number } {
  if (args[0] === '--of') {
    const folders = args.slice(1).map((folder) => `${relative(ROOT, resolve(folder)).replaceAll('\\', '/')}/`);
    const needs: Need[] = ['nats-server', 'store'];
    if (folders.some((folder) => folder.startsWith('infra/'))) needs.push('git', 'nginx', 'strace', 'chromium', 'web');
    const name = args.slice(1).join(' ');
    return { suites: [{ name, command: vitest('--passWithNoTests', ...folders), needs }], atOnce: 1 };
  }
  const isProof = args[0] === '--proof';
  const all = isProof ? PROOFS : SUITES;
  const names = isProof ? args.slice(1) : args;
  const unknown = names.find((name) => !all.some((suite) => suite.name === name));
  if (unknown)
    throw new StartError(`unknown suite ${unknown}; the suites are ${all.map(({ name }) => name).join(', ')}`);
  const suites = names.length > 0 ? all.filter(({ name }) => names.includes(name)) : all;
  // A proof uses the whole machine.
  return { suites, atOnce: isProof ? 1 : AT_ONCE };
}

/** @returns `web`: resolves when shell and modules are built; suites that do not need them run meanwhile */
async function prepare(needs: Set<Need>): Promise<{ web: Promise<void> | undefined }> {
  const step = async (title: string, work: () => unknown) => {
    const startedMs = Date.now();
    await work();
    console.log(`${title.padEnd(40)} ${seconds(Date.now() - startedMs)}`);
  };
  await step('programs', async () => {
    for (const name of needs) await PROGRAMS[name]?.();
  });
  await step('services compiled', buildNodePackages);
  const web = needs.has('web') ? step('shell and modules built', buildWeb) : undefined;
  // Suites that need it throw its error; an unhandled rejection must not end the others.
  web?.catch(() => undefined);
  return { web };
}

/** Removes variables from the environment that a developer exported for a running system. */
function suiteEnvironment(storeUri: string | undefined): NodeJS.ProcessEnv {
  const ofSystem =
    /^(CORD_|DISCORD_|SOLANA_|COMPENSATION|PORT$|HOST$|PUBLIC_ORIGIN$|TRUSTED_PROXIES$|RATE_LIMIT_SCALE$)/;
  const kept = Object.entries(process.env).filter(([name]) => !ofSystem.test(name) && name !== 'FORCE_COLOR');
  const backend = storeUri ? { CORD_TEST_BACKEND: JSON.stringify({ mongodbUri: storeUri }) } : {};
  return { ...Object.fromEntries(kept), NODE_ENV: 'test', NO_COLOR: '1', ...backend };
}

/** Runs one suite and prints a line about it, with its whole output when it failed. */
async function runSuite(suite: Suite, env: NodeJS.ProcessEnv, running: Set<ChildProcess>): Promise<Outcome> {
  const startedMs = Date.now();
  const { code, output } = await runNode(suite, { ...env, ...suite.env }, running);
  const [, passed = 0, failed = 0] = closingLineOf(output) ?? [];
  const outcome = { passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1) };
  if (outcome.failed > 0) console.log(`\n--- output of ${suite.name}\n${output.trimEnd()}\n---`);
  const counts = `${outcome.passed} passed${outcome.failed ? `, ${outcome.failed} failed` : ''}`;
  console.log(`${suite.name.padEnd(12)} ${counts.padEnd(27)} ${seconds(Date.now() - startedMs)}`);
  return outcome;
}

/** Returns the last line `N passed, N failed` of an output. */
export function closingLineOf(output: string): RegExpMatchArray | undefined {
  return [...output.matchAll(/^(\d+) passed, (\d+) failed\s*$/gm)].at(-1);
}

function runNode(
  { command, timeoutMs = TIMEOUT_MS_DEFAULT, first = false }: Suite,
  env: NodeJS.ProcessEnv,
  running: Set<ChildProcess>,
): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    running.add(child);
    if (child.pid !== undefined && !first) setPriority(child.pid, NICE_OF_OTHERS);
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nstopped after ${timeoutMs / 1000} s\n`));
      void endGroupInOrder(child, STOP_MS_MAX);
    }, timeoutMs);
    child.once('error', (error) => chunks.push(Buffer.from(String(error))));
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      done({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`.padStart(9);
}
