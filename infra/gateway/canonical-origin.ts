import type Koa from 'koa';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|.+\.localhost)$/;

/**
 * On loopback, one name: cookies and the Origin check hold for PUBLIC_ORIGIN only, so other names of this machine are
 * sent there (design.md, Sign-in and rights). Health is answered under any name.
 */
export function canonicalOrigin(publicOrigin: URL): Koa.Middleware {
  return async (ctx, next) => {
    const named = hostOf(ctx.get('host'));
    const elsewhere = named !== undefined && LOOPBACK.test(named.hostname) && named.host !== publicOrigin.host;
    if (!elsewhere || ctx.path === '/healthz') return next();
    ctx.status = 308;
    ctx.set('location', `${publicOrigin.origin}${ctx.url.startsWith('/') ? ctx.url : '/'}`);
  };
}

function hostOf(header: string): URL | undefined {
  return URL.canParse(`http://${header}`) ? new URL(`http://${header}`) : undefined;
}
