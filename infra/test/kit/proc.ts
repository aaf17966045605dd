import { readFileSync } from 'node:fs';

const TICK_MICROS = 10_000;

/** Memory that a process has at this moment, bytes; 0 where there is no /proc. */
export function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1_024;
}

/** CPU time that a process has taken so far, microseconds (10 ms steps); NaN where there is no /proc. */
export function cpuMicros(pid: number | 'self'): number {
  const text = read(pid, 'stat');
  if (text === null) return Number.NaN;
  // The name of the program before them may hold spaces.
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MICROS;
}

/** Bytes that a process has had written so far; NaN where there is no /proc. */
export function writtenBytes(pid: number): number {
  return Number(/^write_bytes: (\d+)/m.exec(read(pid, 'io') ?? '')?.[1]);
}

/** The processes that a process has started and not yet outlived. */
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
