import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './paths.mjs';
import { hasEnded } from './probes.ts';
import { StartError } from './problems.mjs';

const READY_MS_MAX = 60_000;
const READY_POLL_MS = 50;
/** Maximum length kept of an output's end, which contains the reason of a failure. */
const PRINTED_CHARS_MAX = 10_000;

/** A command and its readiness check. */
export interface Program {
  command: string;
  args: string[];
  /** Added to the environment of this process. */
  env?: NodeJS.ProcessEnv;
  /** `printed` returns the output so far; a StartError is final */
  isReady: (printed: () => string) => Promise<boolean>;
  /** maximum time until it is ready, ms */
  withinMs?: number;
  /** returns advice for a failure, given the end of the output */
  advise?: ((printed: string) => string | undefined) | undefined;
}

/** A process that is ready. */
export interface Started {
  child: ChildProcess;
  printed: () => string;
}

/**
 * Starts a process and waits until it is ready. The IPC channel ends the embedded server with this process, however that ends.
 * @param name for messages
 * @param stderr inherit: also shown here, and not part of `printed`
 * @throws {Error} with the reason when the process cannot run, ends or is not ready in time; it is then stopped
 */
export async function startReady(
  name: string,
  { command, args, env, isReady, withinMs = READY_MS_MAX, advise }: Program,
  stderr: 'pipe' | 'inherit' = 'pipe',
): Promise<Started> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', stderr, 'ipc'],
  });
  let [output, failure] = ['', ''];
  child.once('error', ({ message }) => {
    failure = `cannot start: ${message}`;
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-PRINTED_CHARS_MAX);
    });
  const ended = once(child, 'close').catch(() => undefined);
  const printed = () => output;
  const untilMs = Date.now() + withinMs;
  for (; ; await sleep(READY_POLL_MS)) {
    const ready = await isReady(printed).catch((error: unknown) => error);
    if (ready === true) return { child, printed };
    const { exitCode, signalCode } = child;
    if (signalCode !== null) failure = `was killed by ${signalCode} before it was ready`;
    else if (exitCode !== null) failure = `exited with code ${exitCode} before it was ready`;
    else if (Date.now() > untilMs) failure = `was not ready within ${withinMs / 1000} s`;
    const isFinal = ready instanceof StartError;
    if (failure === '' && !isFinal) continue;
    child.kill('SIGKILL');
    await ended;
    if (isFinal) throw ready;
    throw new Error(advise?.(output) ?? `${name} ${failure}.\n${output}`.trimEnd());
  }
}

/** Kills the leader of a process group (`detached`) and everything it started that stayed in the group. */
export function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Ends a process in order, so that it can flush its data; kills it after msMax. */
export async function endInOrder(child: ChildProcess, signal: NodeJS.Signals, msMax: number): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), msMax);
  await exited;
  clearTimeout(force);
}

/** Ends a group's leader in order, so that it can stop its containers; then kills the group. @param msMax ms */
export async function endGroupInOrder(child: ChildProcess, msMax: number): Promise<void> {
  await endInOrder(child, 'SIGTERM', msMax);
  endGroup(child);
}
