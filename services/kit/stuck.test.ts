import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from './testing/process.js';

/** Outcome of a process that does this, checked every 100 ms. */
function runs(script: string) {
  const begin = `const { exitWhenStuck } = await import('@cord/kit/stuck'); exitWhenStuck('tasks', 100);`;
  const args = ['--input-type=module', '-e', `${begin} ${script}`];
  const { signal, status, stdout } = spawnSync(process.execPath, args, {
    cwd: join(workspaceRoot(), 'services/kit'),
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { signal, status, stdout };
}

it('a process with a blocked event loop is killed, with the reason in its log', () => {
  const { signal, stdout } = runs(`setTimeout(() => { for (;;); }, 500);`);
  expect(signal).toBe('SIGKILL');
  expect(JSON.parse(stdout)).toMatchObject({
    level: 'fatal',
    service: 'tasks',
    msg: 'the event loop is stuck; exiting',
  });
});

it('a process with a working event loop is left alone, and ends by itself', () => {
  expect(runs(`setTimeout(() => console.log('done'), 2_500);`)).toEqual({ signal: null, status: 0, stdout: 'done\n' });
});
