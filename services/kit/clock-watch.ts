import { CLOCK_ANSWER_MS_MAX, CLOCK_LOOK_EVERY_MS, CLOCK_OFF_MS_MAX } from './bounds.js';
import type { Clock } from './clock.js';
import type { Health } from './health.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { Problem } from './problem.js';
import type { Shutdown } from './shutdown.js';

/** Another clock to compare this process's with. */
interface ClockSource {
  /** Name in logs and figures: `store`, `nats`. */
  readonly name: string;
  /** Returns its current time, ms since epoch. @throws when it does not respond: the last comparison stands */
  read(): Promise<number>;
}

const CONFIRMED_FOR_MS = 1_000;

interface ClockWatchOptions {
  /** Read at each comparison, so a later connection can be added. */
  sources: readonly ClockSource[];
  log: Pick<Log, 'error' | 'info'>;
  /** The clock to check, ms since epoch; default the machine's. */
  now?: () => number;
  /** A monotonic clock, ms from any origin; default the machine's. */
  steady?: () => number;
  /** Further reasons to distrust the clock, such as the offset of local mode. */
  also?: () => string | null;
  /** Maximum offset, ms. */
  mostMs?: number;
  /** Maximum duration of a response that counts, ms. */
  answerMsMax?: number;
}

/**
 * Periodically compares this process's clock with others. A process whose clock is off takes no writes and is not ready: its writes
 * would be dated wrong for good, and it would mine for time that has not passed. A clock set between two comparisons is noticed at once,
 * because the time since the last one is measured by a monotonic clock.
 */
export function createClockWatch(options: ClockWatchOptions) {
  const { sources, log, now = Date.now, steady = () => performance.now(), also = () => null } = options;
  const { mostMs = CLOCK_OFF_MS_MAX, answerMsMax = CLOCK_ANSWER_MS_MAX } = options;
  const off = new Map<string, number>();
  let anchor = { nowMs: now(), steadyMs: steady() };
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<boolean> | undefined;
  let last: string | null = null;

  const wrong = (): string | null => {
    for (const [name, ms] of off)
      if (Math.abs(ms) > mostMs) return `the clock is ${seconds(ms)} of the clock of ${name}`;
    const setMs = now() - anchor.nowMs - (steady() - anchor.steadyMs);
    if (Math.abs(setMs) > mostMs) return `the clock was set: it is ${seconds(setMs)} of where it was`;
    return also();
  };
  /** @returns both own clocks at the time of the response; null when there is none in time */
  const compare = async ({ name, read }: ClockSource): Promise<typeof anchor | null> => {
    const sentMs = steady();
    let theirMs: number;
    try {
      theirMs = await read();
    } catch {
      return null;
    }
    const answered = { nowMs: now(), steadyMs: steady() };
    if (answered.steadyMs - sentMs > answerMsMax) return null;
    // Whatever the delay, the other clock showed its time at some moment in between. The delay is measured by the monotonic clock, because
    // this one may have been set meanwhile.
    const fromMs = answered.nowMs - (answered.steadyMs - sentMs);
    off.set(name, theirMs < fromMs ? fromMs - theirMs : theirMs > answered.nowMs ? answered.nowMs - theirMs : 0);
    return answered;
  };
  const checkOnce = async (): Promise<boolean> => {
    const answers = (await Promise.all(sources.map(compare))).filter((one) => one !== null);
    // Of several the earliest: it reveals a clock that was set since then.
    const [first] = answers.sort((one, other) => one.steadyMs - other.steadyMs);
    if (!first) return false;
    if ([...off.values()].every((ms) => Math.abs(ms) <= mostMs)) anchor = first;
    const why = wrong();
    if (why === null) confirmedAtMs = steady();
    if (why !== null && why !== last) log.error({ why }, 'the clock is wrong: writes are refused until it is right');
    if (why === null && last !== null) log.info('the clock is right again');
    last = why;
    return why === null;
  };
  const check = (): Promise<boolean> => {
    checking ??= checkOnce().finally(() => {
      checking = undefined;
    });
    return checking;
  };
  return {
    /** Why this process's clock must not be trusted; null while it may. Cheap: called for every write. */
    wrong,
    /** Compares with every source now. @returns whether the clock may be trusted and at least one source has responded */
    check,
    /** The same, unless it was confirmed within the last second. */
    confirm: async () => (steady() - confirmedAtMs < CONFIRMED_FOR_MS && wrong() === null) || check(),
    /** Offset at the last comparison with each source, ms. */
    off: (): ReadonlyMap<string, number> => off,
    start() {
      timer = setInterval(() => void check(), CLOCK_LOOK_EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Wraps a clock so that it is not trusted while the machine's own is off.
 * @returns the clock, and a function that starts the comparisons once there are sources; a process whose clock is off is not
 * ready, and reports the offset
 */
export function watchedClock(
  base: Clock,
  options: { log: ClockWatchOptions['log']; now: (() => number) | undefined; also: (() => string | null) | undefined },
) {
  const { log, now = Date.now, also = () => null } = options;
  const sources: ClockSource[] = [];
  const watch = createClockWatch({ sources, log, now, also });
  const clock: Clock = { ...base, wrong: watch.wrong, confirm: watch.confirm };
  return {
    clock,
    async compareWith(
      others: readonly ClockSource[],
      { metrics, health, shutdown }: { metrics: Metrics; health: Health; shutdown: Pick<Shutdown, 'on'> },
    ): Promise<void> {
      sources.push(...others);
      metrics.measured('cord_clock_off_seconds', async () =>
        [...watch.off()].map(([from, ms]) => ({ labels: { from }, value: ms / 1_000 })),
      );
      health.refuseWhile(watch.wrong);
      await watch.check();
      watch.start();
      shutdown.on('unready', 'clock', () => watch.stop());
    },
  };
}

/** Refuses while the clock is not trusted. Nothing has begun, so another replica may take the call. */
export class ClockIsWrong extends Problem {
  constructor() {
    super(503, 'clock-is-wrong', 'Changes are not possible right now. Please try again.', {
      headers: { 'Retry-After': '5', 'X-Cord-Not-Taken': '1' },
    });
  }
}

/** @throws ClockIsWrong while the clock is not trusted */
export function assertClockTrusted(clock: Pick<Clock, 'wrong'>): void {
  if ((clock.wrong?.() ?? null) !== null) throw new ClockIsWrong();
}

function seconds(ms: number): string {
  return `${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead' : 'behind'}`;
}
