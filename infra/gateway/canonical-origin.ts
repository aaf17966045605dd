import type Koa from 'koa';
import { refuse } from './api/problem.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/;

/**
 * Redirects other loopback names to PUBLIC_ORIGIN, because cookies and the Origin check apply to that only
 * (services/README.md#sign-in-and-rights). Local mode refuses all other names: somebody could point one here, and
 * their page would share our origin. Health responds under any name.
 */
export function canonicalOrigin(publicOrigin: URL, local: boolean): Koa.Middleware {
  return async (ctx, next) => {
    const named = hostOf(ctx.get('host'));
    if (ctx.path === '/healthz' || named?.host === publicOrigin.host) return next();
    if (named !== undefined && LOOPBACK.test(named.hostname)) {
      ctx.status = 308;
      ctx.set('location', publicOrigin.origin + ctx.url);
      return;
    }
    if (!local) return next();
    ctx.respond = false;
    const message = 'This address is not served here.';
    refuse(ctx.res, { status: 421, type: 'wrong-host', message }, String(ctx.state.requestId));
  };
}

function hostOf(header: string): URL | undefined {
  return URL.canParse(`http://${header}`) ? new URL(`http://${header}`) : undefined;
}
