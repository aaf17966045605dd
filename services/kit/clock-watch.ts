import { CLOCK_ANSWER_MS_MAX, CLOCK_LOOK_EVERY_MS, CLOCK_OFF_MS_MAX } from './bounds.js';
import type { Clock } from './clock.js';
import type { Health } from './health.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { Problem } from './problem.js';
import type { Shutdown } from './shutdown.js';

/** Another clock that this process's is compared with. */
interface ClockSource {
  /** As log and figures name it: `store`, `nats`. */
  readonly name: string;
  /** Its time now, ms since epoch. @throws when it does not answer: the last comparison stands */
  read(): Promise<number>;
}

const CONFIRMED_FOR_MS = 1_000;

interface ClockWatchOptions {
  /** Read at each comparison: one that is connected later is added then. */
  sources: readonly ClockSource[];
  log: Pick<Log, 'error' | 'info'>;
  /** The clock to be judged, ms since epoch; the machine's. */
  now?: () => number;
  /** A clock that cannot be set, ms from any beginning; the machine's. */
  steady?: () => number;
  /** Further reasons not to trust the clock: the offset of local mode. */
  also?: () => string | null;
  /** How far it may be off, ms. */
  mostMs?: number;
  /** How long an answer may be on its way and count, ms. */
  answerMsMax?: number;
}

/**
 * Compares this process's clock with others, again and again. A process whose clock is off takes no writes and is not ready: what it
 * would write is dated wrong for good, and mined for time that has not passed. Between two comparisons a clock that is set is noticed at
 * once, because the time since the last one is measured by a clock that cannot be set.
 */
export function createClockWatch(options: ClockWatchOptions) {
  const { sources, log, now = Date.now, steady = () => performance.now(), also = () => null } = options;
  const { mostMs = CLOCK_OFF_MS_MAX, answerMsMax = CLOCK_ANSWER_MS_MAX } = options;
  const off = new Map<string, number>();
  let anchor = { nowMs: now(), steadyMs: steady() };
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<boolean> | undefined;
  let last: string | null = null;

  const wrong = (): string | null => {
    for (const [name, ms] of off)
      if (Math.abs(ms) > mostMs) return `the clock is ${seconds(ms)} of the clock of ${name}`;
    const setMs = now() - anchor.nowMs - (steady() - anchor.steadyMs);
    if (Math.abs(setMs) > mostMs) return `the clock was set: it is ${seconds(setMs)} of where it was`;
    return also();
  };
  /** @returns where both own clocks stood when the other had answered; null when it does not answer in time */
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
    // Whatever time the answer was on its way, the other clock stood there at a moment in between. How long it was is measured by the clock
    // that cannot be set: this one may have been set meanwhile.
    const fromMs = answered.nowMs - (answered.steadyMs - sentMs);
    off.set(name, theirMs < fromMs ? fromMs - theirMs : theirMs > answered.nowMs ? answered.nowMs - theirMs : 0);
    return answered;
  };
  const lookOnce = async (): Promise<boolean> => {
    const answers = (await Promise.all(sources.map(compare))).filter((one) => one !== null);
    // Of several the first: a clock that was set since then is noticed by it.
    const [first] = answers.sort((one, other) => one.steadyMs - other.steadyMs);
    if (!first) return false;
    if ([...off.values()].every((ms) => Math.abs(ms) <= mostMs)) anchor = first;
    const why = wrong();
    if (why === null) confirmedAtMs = steady();
    if (why !== null && why !== last) log.error({ why }, 'the clock is not to be trusted: no writes until it is');
    if (why === null && last !== null) log.info('the clock is to be trusted again');
    last = why;
    return why === null;
  };
  const look = (): Promise<boolean> => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return {
    /** Why this process's clock must not be trusted; null while it may. Cheap: it is called for every write. */
    wrong,
    /** Compares with every source now. @returns whether the clock may be trusted and at least one source has answered */
    look,
    /** The same, unless it was done within the last second. */
    confirm: async () => (steady() - confirmedAtMs < CONFIRMED_FOR_MS && wrong() === null) || look(),
    /** How far the clock was off at the last comparison with each source, ms. */
    off: (): ReadonlyMap<string, number> => off,
    start() {
      timer = setInterval(() => void look(), CLOCK_LOOK_EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * A clock that is watched: not to be trusted while the machine's own is off.
 * @returns the clock, and what compares it from now on, once there is something to compare with; a process whose clock is off is not
 *   ready, and shows by how much
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
      await watch.look();
      watch.start();
      shutdown.on('unready', 'clock', () => watch.stop());
    },
  };
}

/** Refuses while the clock is not to be trusted. Nothing has begun: another replica may take the call. */
export class ClockIsWrong extends Problem {
  constructor() {
    super(503, 'clock-is-wrong', 'Changes are not possible right now. Please try again.', {
      headers: { 'Retry-After': '5', 'X-Cord-Not-Taken': '1' },
    });
  }
}

/** @throws ClockIsWrong while the clock is not to be trusted */
export function demandTrusted(clock: Pick<Clock, 'wrong'>): void {
  if ((clock.wrong?.() ?? null) !== null) throw new ClockIsWrong();
}

function seconds(ms: number): string {
  return `${(Math.abs(ms) / 1_000).toFixed(1)} s ${ms > 0 ? 'ahead' : 'behind'}`;
}
