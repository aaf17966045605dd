import { readFileSync } from 'node:fs';

const TICK_MICROS = 10_000;

/** CPU time that a process has taken so far, microseconds (10 ms steps); NaN where there is no /proc. */
export function cpuMicros(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MICROS;
  } catch {
    return Number.NaN;
  }
}
