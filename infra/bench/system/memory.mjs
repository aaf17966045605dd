import { readFileSync } from 'node:fs';

/** Memory that a process has at this moment, bytes; 0 where there is no /proc. */
export function residentBytes(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
