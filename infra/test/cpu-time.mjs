import { readFileSync } from 'node:fs';

/** The kernel's clock of processes, in ticks a second: 100 on every Linux that Node runs on. */
const TICKS_A_SECOND = 100;

/**
 * A program that runs `args` and writes to file descriptor 3 what it and all that it has waited for took of a core: Node
 * tells that of itself only. What outlives it is not in it.
 * @param {string[]} args program and arguments
 * @returns {[program: string, args: string[]]}
 */
export function measured(args) {
  return ['/bin/sh', ['-c', '"$@" 3>&-; code=$?; times >&3; exit $code', 'sh', ...args]];
}

/**
 * @param {string} text what the shell's `times` writes: a line of its own times, and one of what it has waited for
 * @returns {number} of both lines, user and system, in milliseconds; 0 where it was stopped before it could write
 */
export function cpuMsOf(text) {
  const times = [...text.matchAll(/(\d+)m([\d.]+)s/g)];
  return Math.round(
    times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0),
  );
}

/** @returns {number} milliseconds of a core that this process and all that it has waited for took until now */
export function cpuMsUntilNow() {
  const { user, system } = process.cpuUsage();
  return (
    Math.round((user + system) / 1000) +
    ticksOfChildren(readFileSync('/proc/self/stat', 'utf8')) * (1000 / TICKS_A_SECOND)
  );
}

/** cutime and cstime of proc(5). The name of the program before them may hold spaces, so they are counted from its end. */
function ticksOfChildren(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[13]) + Number(fields[14]);
}
