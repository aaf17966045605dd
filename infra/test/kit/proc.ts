import { readFileSync } from 'node:fs';

const TICK_MICROS = 10_000;

/** Resident memory of a process, in bytes; 0 without /proc. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1_024;
}

/** CPU time used by a process so far, in microseconds (10 ms steps); NaN without /proc. */
export function cpuMicros(pid: number | 'self'): number {
  const text = read(pid, 'stat');
  if (text === null) return Number.NaN;
  // The program name before these fields may contain spaces.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MICROS;
}

/** Bytes written to disk by a process so far; NaN without /proc. */
export function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(read(pid, 'io') ?? '')?.[1]);
}

/** Running child processes of a process. */
export function childrenOf(pid: number): number[] {
  return (read(pid, `task/${pid}/children`) ?? '').trim().split(' ').filter(Boolean).map(Number);
}

function read(pid: number | 'self', name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return null;
  }
}
