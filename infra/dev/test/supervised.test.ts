import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { scratch } from '@cord/kit/testing/scratch';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../test/kit/until.ts';
import { isRunning, processStart } from '../starter/pids.ts';
import { freePorts } from '../starter/ports.ts';
import { answersOk } from '../starter/probes.ts';
import { StartError } from '../starter/problems.mjs';
import { endLeftovers, RunFile } from '../starter/run-file.ts';
import { Shutdown } from '../starter/shutdown.ts';
import { type ProcessSpec, Supervised } from '../starter/supervised.ts';

const SERVER = `require('node:http').createServer((q, s) => s.end(String(process.pid))).listen(process.env.PORT, '127.0.0.1')`;
const STUBBORN = `process.on('SIGTERM', () => {}); ${SERVER}`;

let place: Awaited<ReturnType<typeof scratch>>;
const started: { kill(): void }[] = [];
let lines: string[];
beforeEach(async () => {
  place = stopAfterTest(await scratch());
  lines = [];
});
afterEach(() => {
  for (const one of started.splice(0)) one.kill();
});

async function supervised(code: string, more: Partial<ProcessSpec> = {}) {
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const process_ = new Supervised({
    name: 'mining',
    service: 'mining',
    command: process.execPath,
    args: ['-e', code],
    env: { PORT: String(port), PATH: process.env.PATH ?? '' },
    logFile: join(place.folder, 'mining.log'),
    url,
    isReady: answersOk(url),
    report: (line: string) => void lines.push(line),
    onChange: () => undefined,
    ...more,
  });
  started.push(process_);
  return process_;
}

describe('a supervised process', () => {
  test('restarts at the same address when it is killed, and reports it', async () => {
    const one = await supervised(SERVER);
    await one.start();
    const { url = '', pid = 0 } = one.describe();
    expect(await (await fetch(url)).text()).toBe(String(pid));
    process.kill(pid, 'SIGKILL');
    await until('it is so', () => lines.some((line) => line.includes('is back')));
    expect(lines[0]).toMatch(/^mining was killed by SIGKILL; restarting it in 0\.25 s$/);
    expect(one.describe()).toMatchObject({ url });
    expect(one.pid).not.toBe(pid);
    expect(await (await fetch(url)).text()).toBe(String(one.pid));
  });

  test('restarts after its log folder is removed, and waits while no log can be written', async () => {
    const logs = join(place.folder, 'logs');
    const one = await supervised(SERVER, { logFile: join(logs, 'mining.log') });
    await one.start();
    await rm(logs, { recursive: true });
    await writeFile(logs, '');
    process.kill(one.pid ?? 0, 'SIGKILL');
    await until('it cannot be started', () => lines.some((line) => /^mining cannot start: E\w+/.test(line)));
    await rm(logs);
    await until('it is back', () => lines.some((line) => line.includes('is back')));
  });

  test('is killed and restarts after three stuck checks in a row, not after two', async () => {
    const looks: boolean[] = [];
    const isStuck = async () => looks.shift() ?? false;
    const one = await supervised(STUBBORN, { isStuck, stuckLookMs: 50 });
    await one.start();
    // A slow start may outlast all stuck checks.
    looks.push(true, true, false, true, true, true);
    const { pid } = one;
    await until('it is back', () => lines.some((line) => line.includes('is back')));
    expect(looks).toEqual([]);
    expect(lines.slice(0, 2)).toEqual([
      'mining is stuck; killing it',
      'mining was killed by SIGKILL; restarting it in 0.25 s',
    ]);
    expect(one.pid).not.toBe(pid);
  });

  test('reports why it cannot be used after a restart, while it runs', async () => {
    let isWrong = false;
    const isReady = async () => {
      if (isWrong) throw new StartError('another system uses its port.');
      return true;
    };
    const one = await supervised(SERVER, { isReady });
    await one.start();
    isWrong = true;
    process.kill(one.pid ?? 0, 'SIGKILL');
    await until('it is reported', () => lines.length >= 2);
    expect(lines[1]).toBe('mining cannot be used: another system uses its port.');
  });

  test('backs off longer each time it ends at once', async () => {
    const mark = join(place.folder, 'mark');
    const dying = `if (require('node:fs').existsSync(${JSON.stringify(mark)})) process.exit(7); ${SERVER}`;
    const one = await supervised(dying);
    await one.start();
    await writeFile(mark, '');
    process.kill(one.pid ?? 0, 'SIGKILL');
    await until('it is so', () => lines.length >= 3);
    expect(lines.map((line) => /restarting it in ([\d.]+) s/.exec(line)?.[1]).slice(0, 3)).toEqual([
      '0.25',
      '0.5',
      '1',
    ]);
    expect(lines[1]).toContain('exited with code 7');
  });

  test('fails the start with the end of its log if it never becomes ready', async () => {
    const one = await supervised(`console.log('no such database'); process.exit(3)`);
    await expect(one.start()).rejects.toThrow(/mining exited with code 3[\s\S]*no such database/);
    const late = await supervised(`setInterval(() => {}, 1000)`, { readyTimeoutMs: 200 });
    await expect(late.start()).rejects.toThrow('not ready within 0.2 s');
    await until('it is so', () => late.pid === undefined);
    expect(lines).toEqual([]);
  });

  test('with `keep` becomes ready later although its start failed, and restarts after it ends', async () => {
    const mark = join(place.folder, 'mark');
    const late = await supervised(SERVER, { readyTimeoutMs: 200, isReady: async () => existsSync(mark) });
    await expect(late.start({ keep: true })).rejects.toThrow('not ready within 0.2 s');
    const { pid = 0, startedAt } = late.describe();
    expect(isRunning({ pid, startedAt })).toBe(true);
    const dying = await supervised(
      `if (!require('node:fs').existsSync(${JSON.stringify(mark)})) process.exit(7); ${SERVER}`,
    );
    await expect(dying.start({ keep: true })).rejects.toThrow('exited with code 7');
    await writeFile(mark, '');
    process.kill(pid, 'SIGKILL');
    await until('both are back', () => lines.filter((line) => line.includes('is back')).length === 2);
  });

  test('ends on a stop and does not restart', async () => {
    const one = await supervised(SERVER);
    await one.start();
    const { pid = 0, startedAt } = one.describe();
    await one.stop(5_000);
    expect(isRunning({ pid, startedAt })).toBe(false);
    await sleep(400);
    expect(lines).toEqual([]);
  });

  test('is killed on a stop when it ignores SIGTERM', async () => {
    const one = await supervised(STUBBORN);
    await one.start();
    const { pid = 0, startedAt } = one.describe();
    await one.stop(150);
    expect(isRunning({ pid, startedAt })).toBe(false);
  });
});

test('run.json lists the running processes and follows a replacement', async () => {
  const processes: Supervised[] = [];
  const facts = {
    origin: 'http://localhost:8080',
    mode: 'local',
    moduleStore: 'm',
    mongodbUri: 'mongodb://x',
    natsUrl: 'nats://y',
  };
  const runFile = new RunFile(place.folder, facts, processes);
  const one = await supervised(SERVER, {
    metricsUrl: 'http://127.0.0.1:1/metrics',
    onChange: () => void runFile.update(),
  });
  processes.push(one);
  await one.start();
  await runFile.update();
  const read = async () => JSON.parse(await readFile(join(place.folder, 'run.json'), 'utf8'));
  const { pid = 0, url } = one.describe();
  expect(await read()).toMatchObject({
    ...facts,
    services: { mining: [{ pid, url, metricsUrl: 'http://127.0.0.1:1/metrics' }] },
  });
  process.kill(pid, 'SIGKILL');
  await until('it is so', async () => {
    const now = (await read()).services.mining[0].pid;
    return now === one.pid && now !== pid;
  });
});

test('a start that fails early keeps the run.json that lists the leftovers of a killed one', async () => {
  const facts = { origin: 'http://localhost:1', mode: 'local', moduleStore: 'modules' };
  const killed = await supervised(SERVER);
  await killed.start();
  await new RunFile(place.folder, facts, [killed]).update();
  await new RunFile(place.folder, facts, []).remove();
  expect(await endLeftovers(place.folder)).toBe(1);
});

describe('the shutdown', () => {
  test('runs in stages: the gateway first, the store last', async () => {
    const ended: string[] = [];
    const member = (service: string, takesMs: number) => ({
      spec: { service },
      stop: async () => {
        await sleep(takesMs);
        ended.push(service);
      },
      kill: () => undefined,
    });
    const processes = [member('store', 0), member('mining', 30), member('auth', 10), member('gateway', 40)];
    let finished = false;
    const shutdown = new Shutdown({
      processes: processes as unknown as Supervised[],
      order: [['gateway'], ['auth', 'mining'], ['store']],
    });
    shutdown.finally(async () => {
      finished = true;
    });
    await Promise.all([shutdown.stop(), shutdown.stop()]);
    expect(ended).toEqual(['gateway', 'auth', 'mining', 'store']);
    expect(finished).toBe(true);
  });

  test('kills a process that ignores SIGTERM', async () => {
    const one = await supervised(STUBBORN);
    await one.start();
    const { pid = 0 } = one;
    const startedAt = processStart(pid);
    one.kill();
    await until('it is so', () => !isRunning({ pid, startedAt }));
  });
});
