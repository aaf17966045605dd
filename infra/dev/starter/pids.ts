import { readFileSync } from 'node:fs';

/** When the kernel started the process, so that a number used again is not taken for the old process; null where /proc is not. */
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
