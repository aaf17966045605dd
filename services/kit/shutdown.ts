import { setTimeout as sleep } from 'node:timers/promises';
import { SHUTDOWN_MS_MAX } from './bounds.js';
import type { Log } from './log.js';

/** Phases run in this order (field notes, Shutdown); the steps of one phase stop concurrently. */
export const STOP_PHASES = ['unready', 'http', 'consumers', 'relay', 'nats', 'store'] as const;
type StopPhase = (typeof STOP_PHASES)[number];

export type Shutdown = ReturnType<typeof createShutdown>;

interface ShutdownBounds {
  /** Maximum duration of the stop beside the drain, ms. */
  msMax?: number;
  /** How long it continues to serve after the phase `unready`, so that probers notice, ms. */
  drainMs?: number;
}

export function createShutdown(log: Log, { msMax = SHUTDOWN_MS_MAX, drainMs = 0 }: ShutdownBounds = {}) {
  const steps: Array<{ phase: StopPhase; name: string; stop: () => Promise<void> | void }> = [];
  const begun = new AbortController();
  let running: Promise<void> | undefined;

  const stopOne = async ({ name, stop }: (typeof steps)[number], stepMsMax: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), stepMsMax);
    });
    try {
      if ((await Promise.race([Promise.resolve(stop()), late])) === 'late') {
        log.warn({ step: name, stepMsMax }, 'a shutdown step takes too long; continuing without it');
      }
    } catch (err) {
      log.error({ err, step: name }, 'a shutdown step failed; continuing');
    } finally {
      clearTimeout(timer);
    }
  };
  const runAll = async (hurry: boolean): Promise<void> => {
    begun.abort(new Error('shutting down'));
    let untilMs = performance.now() + msMax;
    for (const phase of STOP_PHASES) {
      // Half of the remaining time: while the store and NATS are away every phase may hang, and each gets some time.
      const stepMsMax = (untilMs - performance.now()) / 2;
      await Promise.all(steps.filter((step) => step.phase === phase).map((step) => stopOne(step, stepMsMax)));
      if (phase !== 'unready' || hurry) continue;
      await sleep(drainMs);
      untilMs += drainMs;
    }
  };
  return {
    /** Registers what to stop and when. */
    on: (phase: StopPhase, name: string, stop: () => Promise<void> | void) => void steps.push({ phase, name, stop }),
    /**
     * Stops everything once; a failing or hanging step never blocks the next.
     * @param hurry skips the wait for probers: what is unready closes at once
     */
    run: ({ hurry = false }: { hurry?: boolean } = {}) => {
      running ??= runAll(hurry);
      return running;
    },
    /** Aborted as soon as the shutdown begins: ends waits of the start. */
    // Named: the type that is inferred has no name in the declarations that are packed for others.
    signal: begun.signal as AbortSignal,
  };
}

/**
 * Stops on SIGTERM, and without the wait for probers on SIGINT (everything else stops too), and exits: 0 after an ordered stop, 1 when the
 * kill timer ends it or a second signal comes. An uncaught error exits with 1; the supervisor restarts it.
 */
export function stopOnSignals(shutdown: Shutdown, log: Log, drainMs = 0): void {
  let signals = 0;
  const stop = async (signal: string): Promise<void> => {
    signals += 1;
    if (signals > 1) process.exit(1);
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error('the shutdown took too long; exiting');
      process.exit(1);
    }, drainMs + SHUTDOWN_MS_MAX).unref();
    await shutdown.run({ hurry: signal === 'SIGINT' });
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  exitOnFaults(log);
}

/** Logs an uncaught error and exits with 1. */
export function exitOnFaults(log: Log): void {
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (err: unknown) => {
      log.fatal({ err }, 'an uncaught error; exiting');
      process.exit(1);
    });
  }
}
