import { PERIODIC_FIRST_MS_MAX, PERIODIC_JITTER } from './bounds.js';
import type { Clock } from './clock.js';
import type { Lease, SharedLeases } from './lease.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import type { Shutdown } from './shutdown.js';

/** What a run is given. */
export interface Turn {
  /** Whether it runs because the movable clock was moved: what fell due by that is done before the clock's mover is answered. */
  readonly moved: boolean;
  /**
   * Takes the work's lease, and prolongs it once half of its time is over. To be called after a look has found something to do (where nothing
   * is due nothing is written), and again before each batch of long work.
   * @returns false while another replica has the lease, and when the service stops
   */
  lease(): Promise<boolean>;
  /** Nothing can fall due within so many ms of real time: the next run comes no sooner, unless the movable clock is moved. */
  rest(ms: number): void;
}

/** How a work is kept from being done by every replica, or why it is done by every one. */
type Replicas =
  | {
      /** Length of the lease, ms by the kit's clock; at least twice `everyMs`, so that a replica keeps the work from run to run. */
      leaseMs: number;
    }
  | {
      /** Why each replica has to do it for itself. */
      everywhere: string;
    };

export type PeriodicWork = Replicas & {
  /** Of the log, the figures and the lease. */
  name: string;
  /** Pause between the end of one run and the next, ms of real time, more or less by a tenth, so that replicas spread. */
  everyMs: number;
  /** Off for what nothing waits for: then neither a start nor the movable clock begins a run. */
  soon?: boolean;
  /** One run. What it throws is logged and counted, and the next run makes up for it. */
  run(turn: Turn): Promise<unknown>;
};

export interface PeriodicParts {
  clock: Pick<Clock, 'onAdvance' | 'wrong'>;
  log: Pick<Log, 'warn'>;
  /** Needed where there is a lease. */
  leases?: SharedLeases;
  metrics?: Metrics | undefined;
}

export type Periodic = ReturnType<typeof periodic>;

/**
 * Work that comes again and again: the one loop of all services. Runs come one after the other; a work has a lease, or states why every replica
 * does it.
 */
export function periodic({ clock, log, leases, metrics }: PeriodicParts, work: PeriodicWork) {
  const { name, everyMs, soon = true } = work;
  const seconds = metrics?.histogram('cord_periodic_seconds');
  for (const outcome of ['done', 'failed']) seconds?.zero({ name, outcome });
  let timer: NodeJS.Timeout | undefined;
  let offAdvance: (() => void) | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopping = false;
  let restMs = 0;
  let held: Lease | null = null;

  const lease = async (): Promise<boolean> => {
    if (stopping) return false;
    if ('everywhere' in work) return true;
    if (!leases) throw new TypeError(`${name} has a lease, and nothing to take it from`);
    held = await leases.acquire(name, work.leaseMs);
    return held !== null;
  };
  const rest = (ms: number): void => {
    restMs = ms;
  };
  const inTurn = <R>(run: (turn: Turn) => Promise<R>, moved = false): Promise<R> => {
    const turn = running.then(() => {
      restMs = 0;
      return run({ moved, lease, rest });
    });
    running = turn.catch(() => undefined);
    return turn;
  };
  const runOnce = (moved: boolean): Promise<void> =>
    inTurn(async (turn) => {
      // What a clock that is off would find due is not.
      if (stopping || (clock.wrong?.() ?? null) !== null) return;
      const startMs = performance.now();
      const outcome = await work.run(turn).then(
        () => 'done',
        (err: unknown) => {
          log.warn({ err, name }, 'periodic work failed; the next run makes up for it');
          return 'failed';
        },
      );
      seconds?.observe({ name, outcome }, (performance.now() - startMs) / 1_000);
    }, moved);
  const runIn = (ms: number): void => {
    timer = setTimeout(
      () => void runOnce(false).then(() => stopping || runIn(Math.max(jittered(everyMs), restMs))),
      ms,
    );
  };
  return {
    /** Runs from now on: soon, and again and again; at once, and awaited, when the movable clock was moved. */
    start() {
      runIn(soon ? Math.random() * Math.min(everyMs, PERIODIC_FIRST_MS_MAX) : jittered(everyMs));
      if (soon) offAdvance = clock.onAdvance(() => runOnce(true));
    },
    /** No run begins after this; awaits the one under way, and gives the lease back, so that another replica goes on with its next run. */
    async stop() {
      stopping = true;
      clearTimeout(timer);
      offAdvance?.();
      await running;
      // It ends by itself, too.
      await held?.release().catch(() => undefined);
    },
    /** Does something in turn with the runs: after the one under way, before the next. @throws what it throws */
    inTurn: <R>(run: (turn: Turn) => Promise<R>) => inTurn(run),
  };
}

/** Starts works that end when the service stops consuming events. */
export function runWhileServing(
  kit: PeriodicParts & { shutdown: Pick<Shutdown, 'on'> },
  works: readonly PeriodicWork[],
): void {
  for (const work of works) {
    const running = periodic(kit, work);
    running.start();
    kit.shutdown.on('consumers', work.name, () => running.stop());
  }
}

function jittered(ms: number): number {
  return ms * (1 - PERIODIC_JITTER + 2 * PERIODIC_JITTER * Math.random());
}
