import { clientAddress } from '@cord/kit/http/client-address';
import { isWrite } from '@cord/kit/http/credentials';
import type Koa from 'koa';
import type { GatewayConfig, UpstreamName } from '../config.js';
import type { Callers } from './callers.js';
import type { Forward } from './forward.js';
import { notFound, refuse, unavailable } from './problem.js';
import type { RouteTable } from './route-table.js';
import type { Upstreams } from './upstreams.js';
import { userInPath } from './user.js';

/** Timeout of a call, ms: longer than any service takes to respond or refuse. */
const API_TIMEOUT_MS = 30_000;

export interface Calls {
  routes: RouteTable;
  upstreams: Upstreams<UpstreamName>;
  forward: Forward;
  callers: Callers;
  config: Pick<GatewayConfig, 'publicOrigin' | 'trustedProxies'>;
}

/** Forwards /api/<path> to the service that owns the path. An unowned path is 404, or 503 while a service has never listed its calls. */
export function apiCalls({ routes, upstreams, forward, callers, config }: Calls): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/api' && !ctx.path.startsWith('/api/')) return next();
    ctx.respond = false;
    const requestId = ctx.state.requestId as string;
    const path = ctx.path.slice('/api'.length);
    let leaf = routes.find(path);
    // A service that has not listed its calls may own the path: a probe finds a newly ready replica at once.
    if (!leaf && routes.isWaiting()) {
      await upstreams.probeShared();
      leaf = routes.find(path);
    }
    if (!leaf) return refuse(ctx.res, routes.isWaiting() ? unavailable : notFound, requestId);
    const { owner, shape } = leaf;
    ctx.state.owner = owner;
    const headers = forwardedHeaders(ctx, config, requestId);
    const caller = await callers.identify(ctx, owner);
    if (!caller) return;
    // Passed as our own header, because a client's Connection header may name it and thereby remove it.
    const { authorization = '' } = ctx.req.headers;
    const user = userInPath(ctx.path) ?? caller.user?.id;
    const replicas = upstreams.inTurn(owner, user, (one) => routes.has(one, ctx.method, shape));
    await forward(ctx.req, ctx.res, {
      ...{ replicas, timeoutMs: API_TIMEOUT_MS, requestId, headers: { ...headers, authorization } },
      keepsAnswers: caller.user !== null && !routes.isPublic(owner, ctx.method, shape),
      setsCookies: owner === 'auth',
      onBody: ctx.state.onBody,
      // A sign-in, sign-out or new role applies from the next call on.
      onAnswer: mayChangeRights(owner, ctx) ? callers.settle : undefined,
    });
  };
}

/** Whether a call may change sessions or roles: only auth does, by writes and by the callback from Discord. */
function mayChangeRights(owner: string, { method, path }: Koa.Context): boolean {
  return owner === 'auth' && (isWrite(method) || path.startsWith('/api/auth/discord'));
}

/** Returns the forwarding headers, which replace those of the client. */
export function forwardedHeaders(ctx: Koa.Context, config: Calls['config'], requestId: string): Record<string, string> {
  delete ctx.req.headers.forwarded;
  delete ctx.req.headers['x-real-ip'];
  return {
    'x-forwarded-for': clientAddress(ctx.req, config.trustedProxies),
    'x-forwarded-proto': config.publicOrigin.protocol.slice(0, -1),
    'x-forwarded-host': config.publicOrigin.host,
    'x-request-id': requestId,
    traceparent: ctx.state.traceparent as string,
  };
}
