import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { childrenOf } from '../../test/kit/proc.ts';
import { isAlive } from '../../test/kit/system.ts';
import { until } from '../../test/kit/until.ts';
import { restartOnChange, restarts } from '../starter/hot-reload.ts';
import { endGroup } from '../starter/process-group.ts';

/** Returns the descendants of a process. */
const descendants = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
/** Whether a process is the compiler, not its command (a separate process on Node 20). */
const isCompiler = async (pid: number) => (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('/lib/tsc\0');

test('the type checker and its children end with the system', async () => {
  const before = descendants(process.pid);
  const end = restartOnChange([], () => undefined);
  const pids = await until('the compiler runs', async () => {
    const started = descendants(process.pid).filter((pid) => !before.includes(pid));
    return (await Promise.all(started.map(isCompiler))).some(Boolean) && started;
  });
  end();
  expect(pids.length).toBeGreaterThan(0);
  await until('all of it has ended', () => !pids.some(isAlive), 20_000).finally(() => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, 'SIGKILL');
  });
});

test('a service changed during a failed build restarts after the next good one; builds never overlap', async () => {
  const done: string[] = [];
  const processOf = (service: string) => ({ spec: { service }, restart: () => void done.push(`${service} restarts`) });
  const outcomes = ['fails', 'succeeds', 'succeeds'];
  let building = 0;
  const build = async () => {
    building += 1;
    expect(building).toBe(1);
    await new Promise(setImmediate);
    building -= 1;
    const outcome = outcomes.shift();
    done.push(`a build ${outcome}`);
    if (outcome === 'fails') throw new Error('line 1');
  };
  const report = (line: string) => void done.push(line);
  const { changed, settle } = restarts(['auth', 'tasks'].map(processOf) as never, build, report);
  changed.add('tasks');
  await Promise.all([settle(), settle(), settle()]);
  expect(done).toEqual(['a build fails', 'line 1', 'a build succeeds', 'tasks restarts', 'a build succeeds']);
});

test('ending a process group that has already ended does not throw', async () => {
  const child = spawn(process.execPath, ['-e', ''], { detached: true });
  await once(child, 'exit');
  expect(() => endGroup(child)).not.toThrow();
});
