import { DEV_CLOCK_BEHIND_MS_MAX } from './bounds.js';
import { createMovableClock, type MovableClock } from './clock.js';
import { clockOffsetMs, clockState } from './clock-file.js';
import { requireSameOrigin } from './http/credentials.js';
import { jsonBody } from './http/json-body.js';
import type { Http } from './http.js';
import { badFields, badInput } from './problem.js';
import { fieldErrors } from './schema-errors.js';

/*
 * The movable clock of local mode. Loaded by a dynamic import in local mode only (infra/README.md#local-mode): outside it
 * this file is never read and the route does not exist.
 */

/** A call must have known fields only; a file from a newer release may have more. */
const moved = clockState.strict();

const REREAD_MS = 1_000;

/** The clock of local mode. */
export interface DevClock extends MovableClock {
  /**
   * Returns how the offset differs from that of all processes, or null: the clock was moved alone, or has been behind for
   * DEV_CLOCK_BEHIND_MS_MAX. While the two are equal the file is read at most once a second.
   */
  differs(): string | null;
}

/** Loads the clock of the data folder (clock-file.ts). */
export function loadDevClock(dataFolder: string): DevClock {
  let ofAllMs = clockOffsetMs(dataFolder);
  let readAtMs = performance.now();
  let behindSinceMs: number | undefined;
  const clock = createMovableClock({ now: () => Date.now() }, ofAllMs);
  return {
    ...clock,
    differs() {
      if (clock.offsetMs() !== ofAllMs || performance.now() - readAtMs >= REREAD_MS) {
        ofAllMs = clockOffsetMs(dataFolder);
        readAtMs = performance.now();
      }
      const aheadMs = clock.offsetMs() - ofAllMs;
      if (aheadMs >= 0) behindSinceMs = undefined;
      else behindSinceMs ??= performance.now();
      if (aheadMs > 0) return `the clock is ${aheadMs} ms ahead of the shared clock`;
      const isLate = behindSinceMs !== undefined && performance.now() - behindSinceMs > DEV_CLOCK_BEHIND_MS_MAX;
      return isLate ? `the clock is ${-aheadMs} ms behind the shared clock` : null;
    },
  };
}

/** Serves GET and POST /dev/clock on the operations port. A POST responds after all due work has run. */
export function serveDevClock(http: Http, clock: MovableClock, publicOrigin: string): void {
  const state = () => ({ now: new Date(clock.now()).toISOString(), offsetMs: clock.offsetMs() });
  http.operate('GET', '/dev/clock', (ctx) => {
    ctx.body = state();
  });
  http.operate('POST', '/dev/clock', jsonBody, async (ctx) => {
    if (ctx.get('origin')) requireSameOrigin(ctx, publicOrigin);
    const parsed = moved.safeParse(ctx.request.body);
    if (!parsed.success) throw badFields(fieldErrors(parsed.error));
    if (parsed.data.offsetMs < clock.offsetMs()) throw badInput('offsetMs', 'the clock only goes forward');
    await clock.setOffset(parsed.data.offsetMs);
    ctx.body = state();
  });
}
