import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runWithCause } from './cause.js';
import { createLogger } from './log.js';

describe('the log', () => {
  const lines: string[] = [];
  const log = createLogger('mining', 'info', { write: (line: string) => void lines.push(line) });

  it('consists of JSON lines with service, level and an ISO time', () => {
    log.info({ requestId: 'r-1' }, 'hello');
    const line = JSON.parse(lines.at(-1) ?? '');
    expect(line).toMatchObject({ level: 'info', service: 'mining', requestId: 'r-1', msg: 'hello' });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  it('adds the request context once to each line, also of a child; fields of the line itself win', () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    runWithCause({ requestId: 'r-12345678', traceparent: `00-${traceId}-b7ad6b7169203331-01` }, () => {
      log.child({ route: 'a.b' }).info('first');
      log.info({ requestId: 'its-own' }, 'second');
    });
    log.info('third');
    const [first = '', second = '', third = ''] = lines.slice(-3);
    expect(JSON.parse(first)).toMatchObject({ route: 'a.b', requestId: 'r-12345678', traceId });
    expect([first.split('requestId').length, second.split('requestId').length]).toEqual([2, 2]);
    expect(JSON.parse(second)).toMatchObject({ requestId: 'its-own', traceId });
    expect(third).not.toMatch(/requestId|traceId/);
  });

  it('shows no secret, at the top level or nested', () => {
    log.info({
      token: 'hunter2',
      headers: { cookie: 'hunter2', authorization: 'hunter2' },
      a: { b: { password: 'hunter2' } },
    });
    expect(lines.at(-1)).not.toContain('hunter2');
  });

  it('contains the cause of an error, but none of its extra properties', () => {
    const err = Object.assign(new Error('outer', { cause: new Error('inner') }), { config: { password: 'hunter2' } });
    log.error({ err }, 'failed');
    expect(lines.at(-1)).toContain('inner');
    expect(lines.at(-1)).not.toContain('hunter2');
  });
});

/* The kernel refuses to let a file grow beyond a process limit: this simulates a full disk, which has room again once the limit is lifted. */
const hasLimits = spawnSync('prlimit', ['--version']).status === 0;

describe.skipIf(!hasLimits)('a log file on a full disk (skipped without prlimit)', () => {
  it('neither ends nor blocks the process, and receives the lines of that time once there is room', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cord-log-'));
    const file = join(folder, 'service.log');
    const from = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      const { createLogger } = await import(${from('./log.ts')});
      const { exitOnFaults } = await import(${from('./shutdown.ts')});
      const log = createLogger('tasks', 'info');
      exitOnFaults(log);
      let n = 0;
      setInterval(() => { n += 1; n % 10 === 0 ? log.fatal({ n }) : log.info({ n }); }, 20);`;
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    const out = openSync(file, 'a');
    const env = { ...process.env, NODE_OPTIONS: '' };
    const child = spawn('prlimit', ['--fsize=2000:unlimited', ...node], { stdio: ['ignore', out, 'inherit'], env });
    closeSync(out);
    const text = () => readFileSync(file, 'utf8');
    try {
      await vi.waitFor(() => expect(text().length).toBe(2_000), { timeout: 30_000, interval: 50 });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(child.exitCode).toBeNull();
      execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited']);
      await vi.waitFor(() => expect(text().split('\n').length).toBeGreaterThan(60), { timeout: 10_000 });
      const lines = text().split('\n').slice(0, 60);
      expect(lines.map((line) => JSON.parse(line).n)).toEqual(lines.map((_, at) => at + 1));
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
