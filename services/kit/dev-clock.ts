import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createMovableClock, type MovableClock } from './clock.js';
import { requireSameOrigin } from './http/credentials.js';
import { problemDetails } from './http/errors.js';
import { jsonBody } from './http/json-body.js';
import type { Http } from './http.js';
import type { Log } from './log.js';
import { badFields, badInput } from './problem.js';
import { fieldErrors } from './schema-errors.js';

/*
 * The movable clock of local mode. Loaded by a dynamic import in local mode only (design.md, Running it): outside it
 * this file is never read and the route does not exist.
 */

const stored = z.object({ offsetMs: z.number().int().min(0) });
const moved = z.strictObject({ offsetMs: z.number().int().min(0) });

/** The clock as the data folder says: `clock.json` {offsetMs}, which the development console writes. */
export function loadDevClock(dataFolder: string): MovableClock {
  return createMovableClock({ now: () => Date.now() }, readOffsetMs(join(dataFolder, 'clock.json')));
}

/** Serves GET and POST /dev/clock on the service's own port. A POST answers when all that fell due has run. */
export function serveDevClock(http: Http, clock: MovableClock, publicOrigin: string, log: Log): void {
  const state = () => ({ now: new Date(clock.now()).toISOString(), offsetMs: clock.offsetMs() });
  http.own('GET', '/dev/clock', (ctx) => {
    ctx.body = state();
  });
  http.own('POST', '/dev/clock', problemDetails(log), jsonBody, async (ctx) => {
    if (ctx.get('origin')) requireSameOrigin(ctx, publicOrigin);
    const parsed = moved.safeParse(ctx.request.body);
    if (!parsed.success) throw badFields(fieldErrors(parsed.error));
    if (parsed.data.offsetMs < clock.offsetMs()) throw badInput('offsetMs', 'the clock only goes forward');
    await clock.setOffset(parsed.data.offsetMs);
    ctx.body = state();
  });
}

function readOffsetMs(path: string): number {
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8'))).offsetMs;
  } catch (err) {
    if (err instanceof Error && 'code' in err && err.code === 'ENOENT') return 0;
    throw new Error(`${path} does not hold a clock: {"offsetMs": <ms>}`, { cause: err });
  }
}
