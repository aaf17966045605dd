import { describe, expect, it } from 'vitest';
import { createLogger } from './log.js';
import { createShutdown, STOP_PHASES } from './shutdown.js';

const log = createLogger('test', 'silent');

describe('a shutdown', () => {
  it('runs its phases in order, whatever the order of registration', async () => {
    const shutdown = createShutdown(log);
    const stopped: string[] = [];
    for (const phase of [...STOP_PHASES].reverse()) shutdown.on(phase, phase, () => void stopped.push(phase));
    await shutdown.run();
    expect(stopped).toEqual([...STOP_PHASES]);
  });

  it('starts a phase only when everything of the one before has ended', async () => {
    const shutdown = createShutdown(log);
    const stopped: string[] = [];
    shutdown.on('http', 'slow', async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      stopped.push('http');
    });
    shutdown.on('store', 'store', () => void stopped.push('store'));
    await shutdown.run();
    expect(stopped).toEqual(['http', 'store']);
  });

  it('continues when a step fails or hangs', async () => {
    const shutdown = createShutdown(log, { msMax: 60 });
    let closed = false;
    shutdown.on('http', 'fails', () => {
      throw new Error('broken on purpose');
    });
    shutdown.on('consumers', 'hangs', () => new Promise(() => undefined));
    shutdown.on('store', 'store', () => {
      closed = true;
    });
    await shutdown.run();
    expect(closed).toBe(true);
  });

  it('ends before its kill timer although no step ever ends, as with store and NATS away', async () => {
    const waitedMs: number[] = [];
    const warn = ({ stepMsMax }: { stepMsMax: number }) => void waitedMs.push(stepMsMax);
    const shutdown = createShutdown({ ...log, warn } as never, { msMax: 400 });
    const begun: string[] = [];
    for (const phase of STOP_PHASES)
      shutdown.on(phase, phase, () => {
        begun.push(phase);
        return new Promise(() => undefined);
      });
    await shutdown.run();
    expect(begun).toEqual([...STOP_PHASES]);
    expect(waitedMs).toHaveLength(STOP_PHASES.length);
    expect(waitedMs.reduce((sum, ms) => sum + ms)).toBeLessThan(400);
  });

  it('keeps serving between unready and closed, unless it is in a hurry', async () => {
    for (const hurry of [false, true]) {
      const shutdown = createShutdown(log, { drainMs: 40 });
      const atMs: number[] = [];
      shutdown.on('unready', 'unready', () => void atMs.push(performance.now()));
      shutdown.on('http', 'http', () => void atMs.push(performance.now()));
      await shutdown.run({ hurry });
      const [unreadyMs = 0, closedMs = 0] = atMs;
      expect(closedMs - unreadyMs >= 39).toBe(!hurry);
    }
  });

  it('runs once, and aborts the waits of the start', async () => {
    const shutdown = createShutdown(log);
    let times = 0;
    shutdown.on('http', 'once', () => {
      times += 1;
    });
    await Promise.all([shutdown.run(), shutdown.run()]);
    expect(times).toBe(1);
    expect(shutdown.signal.aborted).toBe(true);
  });
});
