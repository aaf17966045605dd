import type { Clock } from '@cord/kit/clock';
import type { Log } from '@cord/kit/log';
import { createSweepTimer } from '@cord/kit/sweep-timer';

/** Work that falls due with time; runs again and again, and at once when the clock was moved. */
export interface Sweep {
  name: string;
  everyMs: number;
  run: () => Promise<void>;
}

/** Starts sweeps, each after its own pause; a failed one is logged and comes again. @returns how to stop them */
export function startSweeps(sweeps: readonly Sweep[], clock: Clock, log: Log): () => Promise<void> {
  const stops = sweeps.map((sweep) => startSweep(sweep, clock, log));
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

function startSweep({ name, everyMs, run }: Sweep, clock: Clock, log: Log): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  /** One at a time: a call during a run waits for it and runs once more. */
  const tick = (): Promise<void> => {
    running = running.then(run).catch((err: unknown) => log.warn({ err, sweep: name }, 'a sweep failed'));
    return running;
  };
  const timer = createSweepTimer(everyMs, clock, tick);
  timer.start();
  return async () => {
    timer.stop();
    await running;
  };
}
