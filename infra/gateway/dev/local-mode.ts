import type Koa from 'koa';
import { type Calls, forwardedHeaders } from '../api/calls.js';
import { refuse } from '../api/problem.js';
import { Faults } from './faults.js';

/** Timeout of a /dev call, ms: moving the clock responds only after all due work has run. */
const DEV_TIMEOUT_MS = 300_000;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Serves /dev in local mode: faults here, everything else by the console. It is loaded in local mode only. */
export function localMode({ upstreams, forward, callers, config }: Calls): Koa.Middleware {
  const faults = new Faults();
  return async (ctx, next) => {
    const isDev = ctx.path === '/dev' || ctx.path.startsWith('/dev/');
    const requestId = ctx.state.requestId as string;
    if (isDev && !READS.has(ctx.method) && isForeign(ctx.get('origin'), config.publicOrigin)) {
      const message = 'Writes under /dev are for this origin only.';
      ctx.respond = false;
      return refuse(ctx.res, { status: 403, type: 'foreign-origin', message }, requestId);
    }
    if (ctx.path === '/dev/faults') return faults.control(ctx);
    const mayFail = !isDev || ctx.path.startsWith('/dev/discord');
    if (mayFail && (await faults.apply(ctx))) return;
    if (!isDev) return next();
    ctx.respond = false;
    // The console sets its own policy.
    ctx.remove('content-security-policy');
    const headers = forwardedHeaders(ctx, config, requestId);
    await forward(ctx.req, ctx.res, {
      replicas: upstreams.inTurn('dev'),
      timeoutMs: DEV_TIMEOUT_MS,
      requestId,
      headers,
      // A new admin has the rights from the next call on.
      onAnswer: READS.has(ctx.method) ? undefined : callers.settle,
    });
  };
}

/** Whether a request comes from another site's page; programs send no Origin. */
function isForeign(origin: string, publicOrigin: URL): boolean {
  return origin !== '' && origin !== publicOrigin.origin;
}
