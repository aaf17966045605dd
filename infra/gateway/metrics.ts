import type { RequestListener } from 'node:http';
import { LIVE_PATH } from '@cord/contracts/live/kinds';
import { createMetrics, type Metrics, one } from '@cord/kit/metrics';
import type Koa from 'koa';
import type { Replica } from './api/upstreams.js';
import type { Gateway } from './app.js';
import { countReports } from './reports/figures.js';

/**
 * The gateway's metrics and state, on a port of their own: /livez (its event loop runs), /readyz (it accepts calls,
 * i.e. does not drain), /metrics, /upstreams (current targets of calls: {services: {tasks: [{url, ready, listed}]},
 * refused: [{path, service, owner}]}).
 * @param gateway whose streams and routes are measured
 */
export function gatewayMetrics(
  {
    streams,
    routes,
    upstreams,
    callers,
    labelsOf,
    changedFiles,
    onReport,
  }: Pick<Gateway, 'streams' | 'routes' | 'upstreams' | 'callers' | 'labelsOf' | 'changedFiles' | 'onReport'>,
  isDraining: () => boolean = () => false,
): {
  measure: Koa.Middleware;
  answer: RequestListener;
  registry: Metrics['registry'];
} {
  const metrics = createMetrics('gateway');
  const { registry } = metrics;
  const seconds = metrics.histogram('http_server_request_duration_seconds');
  metrics.measured('cord_gateway_streams', async () => one(streams.size));
  metrics.measured('cord_gateway_routes_refused', async () =>
    routes.refused.map(({ path, service, owner }) => ({ labels: { path, refused: service, owner }, value: 1 })),
  );
  metrics.measured('cord_gateway_files_changed', async () => countedBy(await changedFiles()));
  const limited = metrics.counter('cord_rate_limited_total');
  limited.inc({ class: 'badToken' }, 0);
  callers.onRefused((rateClass) => limited.inc({ class: rateClass }));
  onReport(countReports(metrics, labelsOf));
  const measure: Koa.Middleware = async (ctx, next) => {
    const startedMs = performance.now();
    ctx.res.once('close', () => {
      const labels = { method: methodOf(ctx.method), route: routeOf(ctx), status: String(ctx.res.statusCode) };
      seconds.observe(labels, (performance.now() - startedMs) / 1000);
    });
    await next();
  };
  const answer: RequestListener = async (request, response) => {
    if (request.url === '/livez') return response.end('ok');
    if (request.url === '/readyz') {
      response.statusCode = isDraining() ? 503 : 200;
      return response.end(isDraining() ? 'draining' : 'ok');
    }
    if (request.url === '/upstreams') {
      const shown = (one: Replica) => ({ url: one.url, ready: one.ready, listed: routes.hasListed(one) });
      const services = Object.fromEntries(upstreams.names().map((name) => [name, upstreams.of(name).map(shown)]));
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ services, refused: routes.refused }));
    }
    if (request.url !== '/metrics') return response.writeHead(404).end();
    response.setHeader('content-type', registry.contentType);
    response.end(await registry.metrics());
  };
  return { measure, answer, registry };
}

/** Counts files by release. */
function countedBy(releases: readonly { module: string; version: string }[]) {
  const counted = new Map<string, { labels: { module: string; version: string }; value: number }>();
  for (const labels of releases) {
    const key = `${labels.module} ${labels.version}`;
    counted.set(key, { labels, value: (counted.get(key)?.value ?? 0) + 1 });
  }
  return [...counted.values()];
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Labels must not grow with the client's input. */
const methodOf = (method: string) => (METHODS.has(method) ? method : 'other');

/** Returns the service of a call, else a fixed name; never a path. */
function routeOf(ctx: Koa.Context): string {
  // A stream lasts as long as the page is open, which is no measure of speed.
  if (ctx.path === `/api${LIVE_PATH}`) return 'events';
  const owner: unknown = ctx.state.owner;
  if (typeof owner === 'string') return owner;
  const [, first = ''] = ctx.path.split('/');
  return ['api', 'modules', 'assets', 'dev'].includes(first) ? first : 'page';
}
