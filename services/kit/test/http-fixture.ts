import { callerReader } from '../caller.js';
import { baseConfig } from '../config.js';
import { createHealth } from '../health.js';
import { createHttp } from '../http.js';
import { createLogger } from '../log.js';
import { createMetrics } from '../metrics.js';
import { refused } from '../problem.js';
import { createRateLimits } from '../rate-limit.js';
import { createSessionSigner, createTestClock, startFront, startTestBackend, testCallerKey } from '../testing/index.js';
import {
  accepted,
  admin,
  echo,
  empty,
  fails,
  freshOn,
  freshWrite,
  guess,
  leaky,
  list,
  mine,
  rule,
  save,
  write,
  wrong,
} from './http-endpoints.js';

export const ORIGIN = 'http://localhost:8080';

interface HttpFixtureOptions {
  /** Scale of every rate limit. */
  scale?: number;
  tokensWaitingMax?: number;
}

/** Starts only the HTTP side, behind the gateway's session check, with these tests' endpoints. */
export async function startHttpFixture({ scale = 1, ...bounds }: HttpFixtureOptions = {}) {
  const clock = createTestClock();
  const logged: string[] = [];
  const log = createLogger('test', 'debug', { write: (line: string) => void logged.push(line) });
  const backend = await startTestBackend({ store: false });
  const signer = await createSessionSigner(backend.nats);
  const health = createHealth();
  const config = baseConfig.parse({ PUBLIC_ORIGIN: ORIGIN, TRUSTED_PROXIES: '10.0.0.0/8' });
  const rateLimits = createRateLimits({ scale, clock });
  const metrics = createMetrics('test', { processFigures: false });
  const readCaller = callerReader('tasks', testCallerKey('tasks').split(','));
  const http = createHttp({ service: 'tasks', log, clock, config, readCaller, metrics, health, rateLimits });
  http.publicRoute(echo, async ({ body: sent }) => sent);
  http.publicRoute(list, async ({ query, ip, user }) => ({ limit: query.limit, ip, user: user?.id ?? null }));
  http.route(mine, async ({ params }) => ({ id: params.id }));
  http.route(write, async () => ({ ok: true as const }));
  http.route(save, async () => ({ ok: true as const }));
  http.route(admin, async () => ({}));
  http.route(freshWrite, async () => ({}));
  http.route(freshOn, async () => ({}));
  http.publicRoute(empty, async () => undefined);
  http.publicRoute(leaky, async () => ({ a: 1, password: 'hunter2' }));
  http.publicRoute(wrong, async () => ({ a: 'x' }) as unknown as { a: number });
  http.publicRoute(fails, async () => {
    throw new Error('secret inside');
  });
  http.publicRoute(rule, async () => {
    throw refused('own-code', 'You cannot refer yourself.');
  });
  http.publicRoute(guess, async () => ({}));
  http.publicRoute(accepted, async (c) => {
    c.accepted();
    return {};
  });
  http.raw({ id: 't.raw', method: 'GET', path: '/go', rateClass: 'signIn' }, (ctx) => ctx.redirect('/there'));
  http.stream({ id: 't.stream', path: '/stream', rateClass: 'guess' }, (ctx) => {
    ctx.status = 204;
  });
  health.setReady();
  const direct = await http.listen();
  const gateway = { service: 'tasks', target: () => direct, nats: backend.nats, publicOrigin: ORIGIN } as const;
  const front = await startFront({ ...gateway, clock, scale, ...bounds });
  return {
    url: front.url,
    /** URL without that check, which otherwise only the gateway reaches. */
    direct,
    http,
    signer,
    clock,
    /** Every logged line. */
    logged,
    async stop() {
      await front.close();
      await http.close();
      await backend.stop();
    },
  };
}
