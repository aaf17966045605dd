import { PERIODIC_FIRST_MS_MAX, PERIODIC_JITTER } from './bounds.js';
import type { Clock } from './clock.js';
import type { Leases } from './lease.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';

/** What a run is told and may ask. */
export interface Turn {
  /** Whether it runs because the movable clock was moved: what fell due by that is done before the clock's mover is answered. */
  readonly moved: boolean;
  /**
   * Whether this replica is to do the work now: takes the lease, and prolongs it once half of it is over. To be asked after
   * a look says that there is something to do (where nothing is due nothing is written), and again before each batch of long
   * work.
   * @param part of work that is divided among replicas: each part has a lease of its own
   * @returns false while another replica holds it, and when the service stops
   */
  mine(part?: number): Promise<boolean>;
}

export interface PeriodicWork {
  /** Of the log, the figures and the lease. */
  name: string;
  /** Pause between the end of one run and the next, ms of real time, more or less by a tenth, so that replicas spread. */
  everyMs: number;
  /** Length of the lease, ms by the kit's clock; without it every replica does the work. */
  leaseMs?: number;
  /** Off for what nobody waits for: then neither a start nor the movable clock begins a run. */
  soon?: boolean;
  /** One run. What it throws is logged and counted, and the next run makes up for it. */
  run(turn: Turn): Promise<unknown>;
}

export interface PeriodicParts {
  clock: Pick<Clock, 'onAdvance'>;
  log: Pick<Log, 'warn'>;
  /** Needed where there is a lease. */
  leases?: Pick<Leases, 'acquire'>;
  metrics?: Metrics | undefined;
}

export interface Periodic {
  /** Runs from now on: soon, and again and again; at once, and awaited, when the movable clock was moved. */
  start(): void;
  /** No run begins after this; awaits the one under way. The service gives its leases back once all has stopped. */
  stop(): Promise<void>;
  /** Does something in turn with the runs: after the one under way, before the next. @throws what it throws */
  inTurn<R>(run: (turn: Turn) => Promise<R>): Promise<R>;
}

/** Work that comes again and again: the one loop of all services. Runs come one after the other. */
export function periodic({ clock, log, leases, metrics }: PeriodicParts, work: PeriodicWork): Periodic {
  const { name, everyMs, leaseMs, soon = true } = work;
  const seconds = metrics?.histogram('cord_periodic_seconds');
  let timer: NodeJS.Timeout | undefined;
  let offAdvance: (() => void) | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopping = false;

  const mine = async (part?: number): Promise<boolean> => {
    if (stopping) return false;
    if (leaseMs === undefined) return true;
    if (!leases) throw new TypeError(`${name} has a lease, and nothing to take it from`);
    return (await leases.acquire(part === undefined ? name : `${name}.${part}`, leaseMs)) !== null;
  };
  const inTurn = <R>(run: (turn: Turn) => Promise<R>, moved = false): Promise<R> => {
    const turn = running.then(() => run({ moved, mine }));
    running = turn.catch(() => undefined);
    return turn;
  };
  const runOnce = (moved: boolean): Promise<void> =>
    inTurn(async (turn) => {
      if (stopping) return;
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
    timer = setTimeout(() => void runOnce(false).then(() => stopping || runIn(jittered(everyMs))), ms);
  };
  return {
    start() {
      runIn(soon ? Math.random() * Math.min(everyMs, PERIODIC_FIRST_MS_MAX) : jittered(everyMs));
      if (soon) offAdvance = clock.onAdvance(() => runOnce(true));
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      offAdvance?.();
      await running;
    },
    inTurn: (run) => inTurn(run),
  };
}

function jittered(ms: number): number {
  return ms * (1 - PERIODIC_JITTER + 2 * PERIODIC_JITTER * Math.random());
}
