import type Koa from 'koa';
import { refuse } from './api/problem.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/;

/**
 * On loopback, one name: cookies and the Origin check hold for PUBLIC_ORIGIN only, so other names of this machine are
 * sent there (services/README.md#sign-in-and-rights). In local mode any other name is refused: somebody made it point here, and
 * a page of theirs would be of one origin with ours. Health is answered under any name.
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
