import type Router from '@koa/router';
import type { Health } from '../health.js';
import type { Metrics } from '../metrics.js';

interface OwnRoutes {
  service: string;
  /** Number of this replica. */
  replica: number;
  metrics: Metrics;
  health: Health;
}

/**
 * What a service answers on its own port beside /api, never through the gateway: /healthz (the process lives),
 * /readyz (it can serve: 200 with the replica's number, by which the gateway knows whose users are whose; else 503 with the
 * parts that fail) and /metrics.
 */
export function ownRoutes(router: Router, { service, replica, metrics, health }: OwnRoutes): void {
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok', service };
  });
  router.get('/readyz', async (ctx) => {
    const failing = await health.failing();
    ctx.status = failing.length === 0 ? 200 : 503;
    ctx.body = failing.length === 0 ? { status: 'ok', service, replica } : { status: 'unready', service, failing };
  });
  router.get('/metrics', async (ctx) => {
    ctx.type = metrics.registry.contentType;
    ctx.body = await metrics.registry.metrics();
  });
}
