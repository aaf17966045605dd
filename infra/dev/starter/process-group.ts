import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { hasEnded } from './probes.ts';

/** Kills a process that leads a group (`detached`) with everything that it has started and that stayed in the group. */
export function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already, which is what the signal was for.
  }
}

/** Ends a process in order, so that it writes what it has to write; by force where that takes longer, ms. */
export async function endInOrder(child: ChildProcess, signal: NodeJS.Signals, msMax: number): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), msMax);
  await exited;
  clearTimeout(force);
}

/** Ends the leader of a group in order, so that it can stop what left the group (containers); then kills what remains of the group. @param msMax ms */
export async function endGroupInOrder(child: ChildProcess, msMax: number): Promise<void> {
  await endInOrder(child, 'SIGTERM', msMax);
  endGroup(child);
}
