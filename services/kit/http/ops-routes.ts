import { randomUUID } from 'node:crypto';
import type { Route } from '@cord/contracts/openapi';
import type Router from '@koa/router';
import type { Health } from '../health.js';
import type { Metrics } from '../metrics.js';
import { ADMITS_WRITES } from '../ops-port.js';

interface Operated {
  service: string;
  /** Number of this replica. */
  replica: number;
  metrics: Metrics;
  health: Health;
  /** Routes of the service, once all are registered. */
  routes: () => readonly Route[];
}

/**
 * Routes on the operations port, which the gateway forwards no calls to. /livez: the event loop turns. /readyz: 200 when started and
 * not draining, else 503 with the reasons. It returns the replica's number, by which the gateway finds a user's owner; the id of this
 * process run, which shows the gateway that it must read the routes again; and whether other replicas get calls first because this
 * one's store is away. /healthz: state of each dependency, 200 when ready and all are well, else 503. /routes: calls below /api that
 * this release serves; 503 until complete. /metrics.
 */
export function opsRoutes(router: Router, { service, replica, metrics, health, routes }: Operated): void {
  const life = randomUUID();
  router.get('/livez', (ctx) => {
    ctx.body = { status: 'ok', service };
  });
  router.get('/readyz', (ctx) => {
    const failing = health.unready();
    if (ctx.get(ADMITS_WRITES) === 'yes') health.setReached();
    ctx.status = failing.length === 0 ? 200 : 503;
    ctx.body =
      failing.length === 0
        ? { status: 'ok', service, replica, life, yields: health.isYielding() }
        : { status: 'unready', service, failing };
  });
  router.get('/routes', (ctx) => {
    ctx.status = health.isStarted() ? 200 : 503;
    ctx.body = { service, routes: health.isStarted() ? routes() : [] };
  });
  router.get('/healthz', async (ctx) => {
    const failing = health.unready();
    const parts = await health.parts();
    const isWell = failing.length === 0 && Object.values(parts).every((part) => part === 'ok');
    ctx.status = isWell ? 200 : 503;
    ctx.body = { status: isWell ? 'ok' : 'down', service, parts, ...(failing.length > 0 ? { failing } : {}) };
  });
  router.get('/metrics', async (ctx) => {
    ctx.type = metrics.registry.contentType;
    ctx.body = await metrics.registry.metrics();
  });
}
