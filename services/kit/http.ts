import { createServer, type Server } from 'node:http';
import { type Endpoint, type RateClass, type ResponseOf, type ServiceName, takesKey } from '@cord/contracts/endpoint';
import { BODY_LIMIT_BYTES, BY_ADDRESS, BY_HANDLER } from '@cord/contracts/limits';
import { MANIFESTS } from '@cord/contracts/manifests/index';
import { operation, type Route, redirect } from '@cord/contracts/openapi';
import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { addressKey } from './address.js';
import { HTTP_HEADERS_TIMEOUT_MS, HTTP_KEEP_ALIVE_MS, HTTP_REQUEST_TIMEOUT_MS } from './bounds.js';
import type { Caller, SessionUser } from './caller.js';
import { runWithCause } from './cause.js';
import type { Clock } from './clock.js';
import { assertClockTrusted } from './clock-watch.js';
import type { BaseConfig } from './config.js';
import type { Health } from './health.js';
import { type Call, EndpointCall } from './http/call.js';
import { clientAddress, trustedProxies } from './http/client-address.js';
import { bearerOf, isWrite } from './http/credentials.js';
import { problemDetails, requestIds } from './http/errors.js';
import { guardRequest, guardResponse, requireFresh, requireSelf } from './http/guard.js';
import { inTrace } from './http/in-trace.js';
import { jsonBodyUpTo } from './http/json-body.js';
import { closeServer, listenBoth } from './http/listen.js';
import { opsRoutes } from './http/ops-routes.js';
import { plainTargetsOnly } from './http/request-target.js';
import type { Idempotency } from './idempotency.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { forbidden, notFound, notTaken, Problem, tooMany, unauthorised, unavailable } from './problem.js';
import type { RateLimits } from './rate-limit.js';
import { isTracingEnabled } from './tracing.js';

export type { Call };

type Handler<E, User = SessionUser> = (call: Call<E, User>) => Promise<ResponseOf<E>>;

export type Http = ReturnType<typeof createHttp>;

interface RawOptions {
  id: string;
  method: 'GET' | 'POST';
  /** Path below /api. */
  path: string;
  rateClass: RateClass;
}

interface HttpOptions {
  service: ServiceName;
  log: Log;
  clock: Clock;
  config: Pick<BaseConfig, 'HOST' | 'PORT' | 'PUBLIC_ORIGIN' | 'TRUSTED_PROXIES' | 'CORD_REPLICA'>;
  /** Reads the gateway's token of a call (`callerReader`); null for an invalid one. */
  readCaller(token: string): Promise<Caller | null>;
  metrics: Metrics;
  health: Health;
  rateLimits: RateLimits;
  idempotency?: Idempotency;
  /** Called for each authenticated request. */
  onUser?: (userId: string) => void;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const PROBLEM_TYPE = 'application/problem+json';

/** The HTTP side of a service: every route has the same stack of steps, in order in `serve`. */
export function createHttp(options: HttpOptions) {
  const { log, clock, config, metrics, health, rateLimits, idempotency } = options;
  // The gateway on loopback overwrites the header.
  const trusted = trustedProxies(['loopback', ...config.TRUSTED_PROXIES]);
  const app = new Koa({ proxy: config.PUBLIC_ORIGIN.startsWith('https:') });
  const api = new Router({ prefix: '/api' });
  const operations = new Koa();
  const operated = new Router();
  const addressOf = (ctx: Context) => clientAddress(ctx.req, trusted);

  /** Every call comes through the gateway, which identifies the caller. */
  const identified: Middleware = async (ctx, next) => {
    const token = bearerOf(ctx);
    const caller = token === undefined ? null : await options.readCaller(token);
    if (!caller) throw forbidden('not-through-gateway', 'This call did not come through the gateway');
    ctx.state.caller = caller;
    if (caller.user) {
      ctx.state.userId = caller.user.id;
      options.onUser?.(caller.user.id);
    }
    await next();
  };

  /**
   * Returns the user of a call; null for a guest on a public endpoint.
   * @throws Problem 401 when a user is required, 503 or 429 when the gateway could not check the session
   */
  const userOf = (ctx: Context, { access, whileStale }: Pick<Endpoint, 'access' | 'whileStale'>) => {
    const { user, isStale, unchecked }: Caller = ctx.state.caller;
    if (access === 'public') return user;
    if (unchecked?.status === 429) throw tooMany(unchecked.seconds);
    if (unchecked)
      throw unavailable(
        'session-state-unknown',
        'Sign-in cannot be checked right now. Please try again.',
        unchecked.seconds,
      );
    if (!user) throw unauthorised();
    // Admins see others' data, and the role may have been revoked meanwhile.
    const needsRights = access === 'admin' || (isWrite(ctx.method) && !whileStale);
    if (needsRights && isStale)
      throw unavailable('session-state-stale', 'This is not possible right now. Please try again.', 5);
    return user;
  };

  const serve = <E extends Endpoint>(endpoint: E, handler: Handler<E, SessionUser | null>): void => {
    const readBody = jsonBodyUpTo(endpoint.bodyLimitBytes ?? BODY_LIMIT_BYTES);
    const steps = async (ctx: Context) => {
      ctx.state.route = endpoint.id;
      if (isWrite(ctx.method)) assertClockTrusted(clock);
      const ip = addressOf(ctx);
      const user = userOf(ctx, endpoint);
      if (endpoint.access === 'admin' && !user?.isAdmin) throw forbidden('admin-only', 'Only admins may do this');
      const isUsers = user !== null && !BY_ADDRESS.has(endpoint.rateClass);
      const caller = isUsers ? { userId: user.id } : { address: addressKey(ip) };
      const takeFromBudget = () => rateLimits.take(endpoint.rateClass, caller, endpoint.budget);
      if (!BY_HANDLER.has(endpoint.rateClass)) await takeFromBudget();
      await readBody(ctx, async () => undefined);
      const input = guardRequest(endpoint, ctx);
      if (endpoint.access === 'self' && user) requireSelf(input, user.id);
      if (user) requireFresh(endpoint, input, user, clock.now());
      const run = async () => {
        const made = new EndpointCall({ endpoint, input, user, ip, now: clock.now(), log, koa: ctx, takeFromBudget });
        const answer = await handler(made as Call<E, SessionUser | null>);
        return { status: made.status, body: guardResponse(endpoint, answer) };
      };
      const key = takesKey(endpoint) ? ctx.get('idempotency-key') : '';
      const answer =
        key && user && idempotency
          ? await idempotency.once({ userId: user.id, route: endpoint.id, key, input }, run)
          : await run();
      if ('replayed' in answer) ctx.set('Idempotency-Replayed', 'true');
      ctx.status = answer.status;
      if (answer.status !== 204) {
        ctx.set('Content-Type', answer.status >= 400 ? PROBLEM_TYPE : JSON_TYPE);
        ctx.body = JSON.stringify(answer.body ?? null);
      }
    };
    register(endpoint.method, endpoint.path, () => operation(endpoint), steps);
  };

  /** Routes for the gateway and the API document; their docs are built on request. */
  const declared: { method: string; path: string; docs: () => Route['docs'] }[] = [];
  const register = (method: string, path: string, docs: () => Route['docs'], ...steps: Middleware[]) => {
    api.register(path, [method.toLowerCase()], [identified, ...steps] as never);
    declared.push({ method, path, docs });
  };
  const routes = (): Route[] =>
    declared.map(({ method, path, docs: docsOf }) => {
      const docs = docsOf();
      return { method, path, ...(docs ? { docs } : {}) };
    });
  const rawDocs = (method: string, path: string) => () => {
    const raw = MANIFESTS[options.service].raw?.find((one) => one.method === method && one.path === path);
    return raw?.docs && redirect(options.service, raw.docs);
  };

  app.use(requestIds());
  if (isTracingEnabled()) app.use(inTrace(options.service));
  app.use(inContext);
  app.use(measureRequests(metrics, log, health));
  app.use(problemDetails(log));
  app.use(async (ctx, next) => {
    ctx.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
    if (!health.isStarted()) throw notTaken('starting', 'The service is starting. Please try again.', 1);
    await next();
    if (health.isDraining()) ctx.set('Connection', 'close');
  });
  app.use(api.routes() as unknown as Middleware);
  app.use(async (ctx) => {
    const known = api.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods);
    if (known.length === 0) throw notFound('no-such-route', 'There is nothing here');
    throw new Problem(405, 'method-not-allowed', 'This method is not allowed here', {
      headers: { Allow: [...new Set(known)].join(', ') },
    });
  });

  opsRoutes(operated, { metrics, health, service: options.service, replica: config.CORD_REPLICA, routes });
  operations.use(requestIds());
  operations.use(inContext);
  operations.use(problemDetails(log));
  operations.use(operated.routes() as unknown as Middleware);
  for (const one of [app, operations]) one.on('error', (err) => log.error({ err }, 'a response could not be sent'));

  const servers: Server[] = [];
  return {
    app,
    /** Serves an endpoint with access user, self or admin. @throws TypeError for a public one */
    route<E extends Endpoint>(endpoint: E, handler: Handler<E>) {
      if (endpoint.access === 'public') throw new TypeError(`${endpoint.id} is public: use publicRoute`);
      serve(endpoint, handler as Handler<typeof endpoint, SessionUser | null>);
    },
    /** Serves a public endpoint; the user is set when there is a session. @throws TypeError for another access */
    publicRoute<E extends Endpoint>(endpoint: E, handler: Handler<E, SessionUser | null>) {
      if (endpoint.access !== 'public') throw new TypeError(`${endpoint.id} is not public: use route`);
      serve(endpoint, handler);
    },
    /** Serves non-JSON routes (redirects, pages) below /api, with request id, limits and problem details. */
    raw({ id, method, path, rateClass }: RawOptions, ...steps: Middleware[]) {
      const limited: Middleware = async (ctx, next) => {
        ctx.state.route = id;
        ctx.state.address = addressKey(addressOf(ctx));
        await rateLimits.take(rateClass, { address: ctx.state.address }, id);
        await next();
      };
      register(method, path, rawDocs(method, path), limited, ...steps);
    },
    /** Serves a signed-in user's GET without a JSON response: the handler takes over the response, as a stream does. */
    stream({ id, path, rateClass }: Omit<RawOptions, 'method'>, handler: (ctx: Context, user: SessionUser) => void) {
      register('GET', path, rawDocs('GET', path), async (ctx) => {
        ctx.state.route = id;
        const user = userOf(ctx, { access: 'user' });
        if (!user) throw unauthorised();
        await rateLimits.take(rateClass, { userId: user.id }, id);
        handler(ctx, user);
      });
    },
    /** Serves a route on the operations port, beside readiness and figures; no call through the gateway reaches it. */
    operate(method: 'GET' | 'POST', path: string, ...steps: Middleware[]) {
      operated.register(path, [method.toLowerCase()], steps as never);
    },
    /** Listens for calls, and on the next port for operations. @returns the URL for calls, with the actual port */
    listen() {
      const [calls, own] = [serverOf(app), serverOf(operations)];
      servers.push(calls, own);
      return listenBoth(calls, own, config.PORT, config.HOST);
    },
    /** Stops accepting connections, lets running requests finish, then closes. */
    async close() {
      await Promise.all(servers.filter((server) => server.listening).map(closeServer));
    },
  };
}

/** Sets the request's id and trace as the context. */
const inContext: Middleware = ({ state: { requestId, traceparent } }, next) =>
  runWithCause({ requestId, traceparent }, next);

/** Statuses refused before or by the rate limit: their number is unlimited, and a line for each would flood the log. */
const UNCOUNTED = new Set([401, 405, 429]);

/** Measures time and status of each request. Logs 5xx while serving at error, other refusals within the rate limit at info, the rest at debug. */
function measureRequests(metrics: Metrics, log: Log, health: Health): Middleware {
  const seconds = metrics.histogram('http_server_request_duration_seconds');
  return async (ctx, next) => {
    const startMs = performance.now();
    await next();
    const ms = performance.now() - startMs;
    const { route = 'none', userId } = ctx.state;
    seconds.observe({ method: ctx.method, route, status: String(ctx.status) }, ms / 1_000);
    const isServing = health.isStarted() && !health.isDraining();
    const isCounted = ctx.status >= 400 && !UNCOUNTED.has(ctx.status);
    const level = ctx.status >= 500 && isServing ? 'error' : isCounted ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    const { method, path, status } = ctx;
    log[level]({ method, path, route, status, userId, ms }, 'request');
  };
}

function serverOf(app: Koa): Server {
  return createServer(
    {
      headersTimeout: HTTP_HEADERS_TIMEOUT_MS,
      requestTimeout: HTTP_REQUEST_TIMEOUT_MS,
      keepAliveTimeout: HTTP_KEEP_ALIVE_MS,
    },
    plainTargetsOnly(app.callback()),
  );
}
