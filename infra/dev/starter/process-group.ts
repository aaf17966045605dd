import type { ChildProcess } from 'node:child_process';

/** Kills a process that leads a group (`detached`) with everything that it has started and that stayed in the group. */
export function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already, which is what the signal was for.
  }
}
