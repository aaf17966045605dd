import type Koa from 'koa';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Writes under /dev need the same origin or no Origin header; this guards the console's own port. */
export function sameOrigin(publicOrigin: string): Koa.Middleware {
  return async (ctx, next) => {
    const origin = ctx.get('origin');
    if (READS.has(ctx.method) || origin === '' || origin === publicOrigin) return next();
    ctx.status = 403;
    ctx.body = { success: false, error: 'Writes under /dev are for this origin only.' };
  };
}
