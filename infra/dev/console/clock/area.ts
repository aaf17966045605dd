import Router from '@koa/router';
import type { MakeArea } from '../area.js';
import { ClockNotApplied } from './dev-clock.js';
import { durationMs } from './duration.js';

/** GET and POST /dev/clock (infra/README.md#local-mode). */
export const clockArea: MakeArea = ({ clock }) => {
  const router = new Router();
  router.get('/dev/clock', (ctx) => {
    ctx.body = clock.read();
  });
  router.post('/dev/clock', async (ctx) => {
    const { advance } = (ctx.request.body ?? {}) as { advance?: unknown };
    const byMs = typeof advance === 'string' ? durationMs(advance.trim()) : undefined;
    if (byMs === undefined) {
      ctx.status = 400;
      ctx.body = { success: false, error: 'advance: must be a duration such as "25h" (ms, s, m, h, d), forward only' };
      return;
    }
    try {
      const reading = await clock.advance(byMs);
      if (!ctx.is('application/x-www-form-urlencoded')) ctx.body = reading;
      else {
        ctx.status = 303;
        ctx.redirect('/dev');
      }
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof ClockNotApplied)) throw error;
      ctx.status = error instanceof RangeError ? 400 : 503;
      ctx.body = { success: false, error: error.message };
    }
  });
  return {
    title: 'Clock',
    help: [
      'GET /dev/clock reads it, POST /dev/clock {"advance":"25h"} moves it forward; sign-in sessions age with it.',
    ],
    routes: router.routes(),
  };
};
