import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listenBoth } from '../http/listen.js';

const output = new WeakMap<ChildProcess, { stdout: string; stderr: string }>();

/**
 * Waits until a child's output matches; includes everything printed so far.
 * @throws Error when the child ends or `msMax` passes
 */
export function firstMatch(
  child: ChildProcess,
  stream: 'stdout' | 'stderr',
  pattern: RegExp,
  msMax: number,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const printed = printedBy(child);
    const look = () => {
      const match = pattern.exec(printed[stream]);
      if (match) finish(() => resolve(match));
    };
    const fail = (why: string) =>
      finish(() => reject(new Error(`${child.spawnfile} ${why}\n${printed.stderr.slice(-2_000)}`)));
    const onError = (err: Error) => fail(err.message);
    const onExit = (code: number | null) => fail(`exited with ${code}`);
    const timer = setTimeout(() => fail(`did not print ${pattern} in ${msMax} ms`), msMax);
    const finish = (then: () => void) => {
      clearTimeout(timer);
      child[stream]?.off('data', look);
      child.off('error', onError).off('exit', onExit);
      then();
    };
    child[stream]?.on('data', look);
    child.once('error', onError).once('exit', onExit);
    look();
  });
}

function printedBy(child: ChildProcess): { stdout: string; stderr: string } {
  const known = output.get(child);
  if (known) return known;
  const printed = { stdout: '', stderr: '' };
  output.set(child, printed);
  child.stdout?.on('data', (chunk: Buffer) => {
    printed.stdout += chunk;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    printed.stderr += chunk;
  });
  return printed;
}

export function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', () => resolve()));
}

const onPath = new Map<string, boolean>();

/** Cached per process: each test file starts servers, and a `which` search costs as much as a small test. */
export function isOnPath(program: string): boolean {
  const known = onPath.get(program) ?? spawnSync('which', [program], { stdio: 'ignore' }).status === 0;
  onPath.set(program, known);
  return known;
}

/** Returns a free port whose next one is free too, as a service needs. */
export async function freePort(): Promise<number> {
  const [calls, operations] = [createServer(), createServer()];
  const { port } = new URL(await listenBoth(calls, operations, 0, '127.0.0.1'));
  await Promise.all([calls, operations].map((server) => new Promise((resolve) => server.close(resolve))));
  return Number(port);
}

/** Root folder of the workspaces, from source and compiled code alike. */
export function workspaceRoot(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && 'workspaces' in JSON.parse(readFileSync(file, 'utf8'))) return folder;
    if (dirname(folder) === folder) throw new Error('no workspace root above this file');
  }
}
