import type { Middleware } from 'koa';
import { withSpan } from '../tracing.js';
import { validTraceparent } from './trace.js';

/** Records each call below /api as a step of its trace. */
export function inTrace(service: string): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/api/')) return next();
    const parent = validTraceparent(ctx.get('traceparent'));
    await withSpan(service, { name: ctx.method, kind: 'server', parent }, async (span) => {
      if (span) ctx.state.traceparent = span.traceparent;
      await next();
      const { route = 'none' } = ctx.state;
      span?.describe(`${ctx.method} ${route}`, { 'http.route': route, 'http.response.status_code': ctx.status });
      if (ctx.status >= 500) span?.fail();
    });
  };
}
