import { SERVICES } from '@cord/contracts/endpoint';
import type Koa from 'koa';
import type { Upstreams } from './api/upstreams.js';
import type { UpstreamName } from './config.js';

/** /healthz: 200 when every service has a replica that is ready, else 503; the services are asked at that moment. */
export function health(upstreams: Upstreams<UpstreamName>): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/healthz') return next();
    const ready = await upstreams.asked();
    const services = Object.fromEntries(SERVICES.map((name) => [name, ready.get(name) ? 'ok' : 'down']));
    const allReady = SERVICES.every((name) => ready.get(name));
    ctx.status = allReady ? 200 : 503;
    ctx.set('cache-control', 'no-store');
    ctx.body = { status: allReady ? 'ok' : 'down', services };
  };
}
