import { readFileSync } from 'node:fs';

/**
 * When the kernel started the process, so that a number used again is not taken for the old process; null where /proc is not.
 * @param {number} pid
 */
export function processStart(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** @param {{pid: number, startedAt: string | null}} holder whether exactly that process still runs */
export function isRunning({ pid, startedAt }) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return startedAt === null || startedAt === undefined || processStart(pid) === startedAt;
}
