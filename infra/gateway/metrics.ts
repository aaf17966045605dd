import type { RequestListener } from 'node:http';
import { LIVE_PATH } from '@cord/contracts/live/kinds';
import { LOOP_LAG_STEP_MS } from '@cord/kit/bounds';
import type Koa from 'koa';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Gateway } from './app.js';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * The gateway's own figures and readiness, for a port of their own.
 * @param gateway whose streams and table of routes are looked at
 */
export function gatewayMetrics({ streams, routes }: Pick<Gateway, 'streams' | 'routes'>): {
  measure: Koa.Middleware;
  answer: RequestListener;
} {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LAG_STEP_MS });
  const seconds = new Histogram({
    name: 'gateway_request_seconds',
    help: 'Time to the end of an answer, by area of the address and class of status',
    labelNames: ['area', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  new Gauge({
    name: 'gateway_streams',
    help: 'Live streams that pass at this moment',
    registers: [registry],
    collect() {
      this.set(streams.size);
    },
  });
  new Gauge({
    name: 'gateway_routes_refused',
    help: 'Paths that a service says and another one owns: calls of them go to the owner',
    labelNames: ['path', 'service', 'owner'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { path, service, owner } of routes.refused) this.set({ path, service, owner }, 1);
    },
  });
  const measure: Koa.Middleware = async (ctx, next) => {
    const startedMs = performance.now();
    ctx.res.once('close', () => {
      const status = `${Math.floor(ctx.res.statusCode / 100)}xx`;
      seconds.observe({ area: areaOf(ctx.path), status }, (performance.now() - startedMs) / 1000);
    });
    await next();
  };
  const answer: RequestListener = async (request, response) => {
    if (request.url === '/readyz' || request.url === '/healthz') return response.end('ok');
    if (request.url !== '/metrics') return response.writeHead(404).end();
    response.setHeader('content-type', registry.contentType);
    response.end(await registry.metrics());
  };
  return { measure, answer };
}

/** A few words, never an address: labels must not grow with what clients ask for. */
function areaOf(path: string): string {
  // A stream lasts as long as somebody looks, which says nothing of how fast anything is.
  if (path === `/api${LIVE_PATH}`) return 'events';
  const [, first = ''] = path.split('/');
  return ['api', 'modules', 'assets', 'dev'].includes(first) ? first : 'page';
}
