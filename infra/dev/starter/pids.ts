import { readFileSync } from 'node:fs';

/** Start time of a process by the kernel, which distinguishes it from a later process with the same pid; null without /proc. */
export function processStart(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Whether exactly that process still runs. */
export function isRunning({ pid, startedAt }: { pid: number; startedAt: string | null }): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return startedAt === null || startedAt === undefined || processStart(pid) === startedAt;
}
