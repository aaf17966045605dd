import { setTimeout as sleep } from 'node:timers/promises';
import { opsUrlOf } from '@cord/kit/ops-port';
import { type Instance, isAlive, readRunFile } from '../../kit/system.ts';

const MOVED_MS_MAX = 20_000;

/** Returns every process of a running system with one of these names. */
export async function processesOf(
  dataDir: string,
  names: readonly string[],
): Promise<{ name: string; index: number }[]> {
  const { services } = await readRunFile(dataDir);
  return names.flatMap((name) => (services[name] ?? []).map((_, index) => ({ name, index })));
}

/** Returns the current instance of a process. */
export async function instanceOf(dataDir: string, name: string, index: number): Promise<Instance> {
  const found = (await readRunFile(dataDir)).services[name]?.[index];
  if (!found) throw new Error(`${name} ${index} is not running`);
  return found;
}

/** Pauses a process. @returns length of the pause, ms */
export async function pause(pid: number, ms: number): Promise<number> {
  const beganMs = performance.now();
  process.kill(pid, 'SIGSTOP');
  try {
    await sleep(ms);
  } finally {
    if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  }
  return performance.now() - beganMs;
}

/** Moves the clock of one process. @param byMs relative to the system's clock @throws Error when it did not move */
export async function moveClock({ url }: Instance, byMs: number): Promise<void> {
  const fromMs = await offsetOf(url);
  // Work due at the moved time may wait for other processes; the clock has moved anyway.
  await fetch(`${opsUrlOf(url)}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ offsetMs: fromMs + byMs }),
    signal: AbortSignal.timeout(MOVED_MS_MAX),
  }).catch(() => undefined);
  const toMs = await offsetOf(url);
  if (toMs < fromMs + byMs) throw new Error(`the clock at ${url} is ${toMs} ms, not ${fromMs + byMs} ms`);
}

/** Returns how far ahead the clock of a process is, ms. */
async function offsetOf(url: string): Promise<number> {
  const answer = await fetch(`${opsUrlOf(url)}/dev/clock`);
  if (!answer.ok) throw new Error(`${url}/dev/clock responded with ${answer.status}`);
  return ((await answer.json()) as { offsetMs: number }).offsetMs;
}
