import { SERVICES } from '@cord/contracts/endpoint';
import type Koa from 'koa';
import type { Replica, Upstreams } from './api/upstreams.js';
import type { UpstreamName } from './config.js';

const READ_TIMEOUT_MS = 3_000;

/**
 * Serves /healthz: 200 when every service has a healthy replica (ready, with NATS and store), else 503. The services
 * are checked at each request. Routing of calls depends on /readyz only.
 */
export function health(upstreams: Upstreams<UpstreamName>): Koa.Middleware {
  const readAll = async () => {
    const probed = upstreams.probeShared();
    const requests = SERVICES.map(
      async (name) => [name, (await anyWell(upstreams.inTurn(name))) ? 'ok' : 'down'] as const,
    );
    await probed;
    return Object.fromEntries(await Promise.all(requests));
  };
  let reading: ReturnType<typeof readAll> | undefined;
  return async (ctx, next) => {
    if (ctx.path !== '/healthz') return next();
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    const services = await reading;
    const isHealthy = Object.values(services).every((state) => state === 'ok');
    ctx.status = isHealthy ? 200 : 503;
    ctx.set('cache-control', 'no-store');
    ctx.body = { status: isHealthy ? 'ok' : 'down', services };
  };
}

async function anyWell(replicas: readonly Pick<Replica, 'opsUrl'>[]): Promise<boolean> {
  const answers = replicas.map(async ({ opsUrl }) => {
    const answer = await fetch(`${opsUrl}/healthz`, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`${opsUrl} responded with ${answer.status}`);
  });
  return Promise.any(answers).then(
    () => true,
    () => false,
  );
}
