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
  /** Its calls, once all of them are there. */
  routes: () => readonly Route[];
}

/**
 * What a service answers on the port of operations, which the gateway sends no call to: /livez (its event loop turns), /readyz
 * (started and not draining: 200 with the replica's number, by which the gateway finds the owner of a user, the name of this life of
 * it, by which the gateway sees that it has not read its routes yet, and whether other replicas get calls first, because its store is
 * away; else 503 with the reasons), /healthz (how each
 * part is: 200 when it is ready and all are well, else 503), /routes (the calls below /api that this release answers; 503 until
 * all are there) and /metrics.
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
