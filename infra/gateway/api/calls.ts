import { clientAddress } from '@cord/kit/http/client-address';
import type Koa from 'koa';
import type { GatewayConfig, UpstreamName } from '../config.js';
import { BARE_POLICY } from '../headers.js';
import type { Forward } from './forward.js';
import { notFound, refuse, unavailable } from './problem.js';
import type { RouteTable } from './route-table.js';
import type { Upstreams } from './upstreams.js';
import { userOf } from './user.js';

/** Longer than any service takes to answer or to refuse by itself. */
const API_TIMEOUT_MS = 30_000;

export interface Calls {
  routes: RouteTable;
  upstreams: Upstreams<UpstreamName>;
  forward: Forward;
  config: Pick<GatewayConfig, 'publicOrigin' | 'trustedProxies'>;
}

/** /api/<path> to the service that owns the path; what nobody owns is 404, or 503 while a service was never heard. */
export function apiCalls({ routes, upstreams, forward, config }: Calls): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/api' && !ctx.path.startsWith('/api/')) return next();
    ctx.respond = false;
    ctx.set('content-security-policy', BARE_POLICY);
    const requestId = ctx.state.requestId as string;
    const path = ctx.path.slice('/api'.length);
    let leaf = routes.find(path);
    // Whoever has not been heard yet may have it: a replica that is ready by now says so at once.
    if (!leaf && routes.isWaiting()) {
      await upstreams.asked();
      leaf = routes.find(path);
    }
    if (!leaf) return refuse(ctx.res, routes.isWaiting() ? unavailable : notFound, requestId);
    const { owner, shape } = leaf;
    ctx.state.owner = owner;
    const headers = forwardedHeaders(ctx, config, requestId);
    const replicas = upstreams.inTurn(owner, userOf(ctx.req), (one) => routes.has(one, ctx.method, shape));
    const { onBody } = ctx.state;
    await forward(ctx.req, ctx.res, { replicas, timeoutMs: API_TIMEOUT_MS, requestId, headers, onBody });
  };
}

/** Who called and how, in place of whatever the client claims. */
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
