import { randomUUID } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import { GATEWAY_USER } from '@cord/contracts/events/permissions';
import { LIVE_PATH } from '@cord/contracts/live/kinds';
import { folderStore } from '@cord/deploy/store/folder-store';
import { registryReader } from '@cord/deploy/store/registry';
import { type Cause, runWithCause } from '@cord/kit/cause';
import { type Clock, systemClock } from '@cord/kit/clock';
import { plainTargetsOnly } from '@cord/kit/http/request-target';
import { traceparentOf, validTraceparent } from '@cord/kit/http/trace';
import type { Log } from '@cord/kit/log';
import { connectNats, type Nats } from '@cord/kit/nats';
import { type Span, withSpan } from '@cord/kit/tracing';
import Koa from 'koa';
import compress from 'koa-compress';
import { type Callers, openCallers } from './api/callers.js';
import { apiCalls } from './api/calls.js';
import { apiDocument } from './api/document.js';
import { createForward } from './api/forward.js';
import { type NameOptions, nameUpstreams } from './api/names.js';
import { refuse } from './api/problem.js';
import { RouteTable } from './api/route-table.js';
import { shareCards, verifier } from './api/share.js';
import { signInFailures } from './api/sign-in-failures.js';
import { type EventStreams, eventStreams } from './api/streams.js';
import { Upstreams } from './api/upstreams.js';
import { followUpstreams } from './api/upstreams-file.js';
import { canonicalOrigin } from './canonical-origin.js';
import type { GatewayConfig, UpstreamName } from './config.js';
import { securityHeaders } from './headers.js';
import { health } from './health.js';
import { releaseRound } from './release.js';
import { type LabelsOf, releaseLabels } from './reports/figures.js';
import { type PageReport, readReports } from './reports/reports.js';
import { moduleFiles, noSourceMaps, shellFiles, sourceMapHeader } from './static/files.js';
import { notFoundPage } from './static/not-found.js';
import { offlineHeaders } from './static/offline.js';
import { builtPage, type PageSource, servePage } from './static/page.js';
import { createPublished, type Published } from './static/published.js';
import { publishedIn, type Releases, serveRegistry } from './static/registry.js';
import { createShells, type Shells } from './static/shells.js';
import { walletSockets } from './static/wallet-sockets.js';
import { switchesInFile } from './switches-kept.js';

export interface Gateway {
  /**
   * Returns the request listener of the origin.
   * @param first middleware that runs before all others; the request target is a plain path by then
   */
  listener(...first: Koa.Middleware[]): RequestListener;
  /** Attaches handlers that need the server itself (WebSockets of hot reload). */
  attach(server: Server): void;
  readonly streams: Pick<EventStreams, 'size'>;
  readonly routes: RouteTable;
  readonly upstreams: Upstreams<UpstreamName>;
  readonly callers: Pick<Callers, 'ready' | 'onRefused'>;
  /** Labels of a release in metrics. */
  readonly labelsOf: LabelsOf;
  /** Published versions whose files have changed in the store. */
  readonly changedFiles: Published['changed'];
  /** Adds a callback for the pages' reports of errors and visits. */
  onReport(run: (report: PageReport) => void): void;
  /** Ends the live streams, and stops following services and releases. */
  close(): void;
}

/**
 * Creates the app of the only origin. A request whose target is no plain path is 400. Others pass, in this order:
 * security headers, the canonical host name, health, /dev in local mode, the services, the files of shell and modules.
 */
export async function createGateway(
  config: GatewayConfig,
  log: Log,
  { names }: { names?: NameOptions } = {},
): Promise<Gateway> {
  const upstreams = new Upstreams<UpstreamName>({});
  const named = nameUpstreams(upstreams, log, names);
  await named.set(config.upstreams);
  const routes = new RouteTable(upstreams, log);
  const stopped = new AbortController();
  const connected = connectedTo(config, log, stopped.signal);
  const clock = await clockOf(config);
  const callers = openCallers(config, connected, clock, log);
  upstreams.admitsWrites(callers.admitsWrites);
  const calls = { routes, upstreams, forward: createForward(), callers, config };
  const app = new Koa();
  // Errors of a request are handled below. These are mostly disconnected clients, which Koa would print with a stack.
  app.on('error', (err) => log.debug({ err }, 'a response could not be sent'));
  app.use(answerFailures(log));
  app.use(securityHeaders(config.publicOrigin));
  app.use(canonicalOrigin(config.publicOrigin, config.local));
  app.use(health(upstreams));
  app.use(signInFailures);
  if (config.local) {
    const { localMode } = await import('./dev/local-mode.js');
    app.use(localMode(calls));
  }
  app.use(shareCards);
  app.use(verifier);
  app.use(apiDocument(routes));
  const streams = eventStreams(`/api${LIVE_PATH}`, 'notices', calls);
  app.use(streams.middleware);
  const store = folderStore(config.moduleStore);
  const releases = registryReader(store);
  const round = releaseRound(connected, releases, store, switchesInFile(config.moduleStore), log);
  const readers: ((report: PageReport) => void)[] = [];
  app.use(
    readReports((report) => {
      for (const read of readers) read(report);
    }),
  );
  app.use(apiCalls(calls));
  const published = createPublished(store, log);
  const shells = createShells(store, releases, config.shellDir, published);
  const attach = await serveApp(app, config, { releases: round.releases, shells, published });
  void upstreams.watch();
  const following = config.upstreamsFile ? followUpstreams(config.upstreamsFile, named, upstreams, log) : undefined;
  const close = () => {
    upstreams.close();
    named.stop();
    following?.stop();
    streams.close();
    stopped.abort();
    void Promise.all([round.stop(), callers.stop()]).then(async () => (await connected)?.drain());
  };
  const onReport: Gateway['onReport'] = (run) => void readers.push(run);
  const listener: Gateway['listener'] = (...first) => {
    app.middleware.unshift(...first);
    return plainTargetsOnly(app.callback());
  };
  return {
    listener,
    attach,
    streams,
    routes,
    upstreams,
    callers,
    labelsOf: releaseLabels(round.lines),
    changedFiles: published.changed,
    onReport,
    close,
  };
}

/** Connects to NATS as the gateway's user; null without NATS, or when stopped before it responded. */
async function connectedTo({ nats }: GatewayConfig, log: Log, signal: AbortSignal): Promise<Nats | null> {
  return nats ? connectNats(nats, GATEWAY_USER, log, signal).catch(() => null) : null;
}

async function clockOf({ local, dataDir }: GatewayConfig): Promise<Clock> {
  if (!local) return systemClock();
  const { followDevClock } = await import('./dev/clock.js');
  return followDevClock(dataDir);
}

async function serveApp(
  app: Koa,
  config: GatewayConfig,
  { releases, shells, published }: { releases: Releases; shells: Shells; published: Published },
): Promise<Gateway['attach']> {
  const { hotReload, local, publicOrigin, moduleStore } = config;
  if (local && hotReload) {
    const { serveHot } = await import('./dev/hot-reload.js');
    return serveHot(app, hotReload, config, { releases, published });
  }
  // The page is compressed here; files are stored compressed.
  app.use((ctx, next) => {
    // A client that accepts none of the encodings gets plain text (RFC 9110, 12.5.3).
    if (!ctx.acceptsEncodings('br', 'gzip', 'identity')) ctx.compress = false;
    return next();
  });
  app.use(compress({ encodingPreference: ['br', 'gzip'] }));
  const registry = publishedIn(releases, shells);
  app.use(serveRegistry(registry));
  app.use(servePage(await pageOf(config, shells), registry, publicOrigin, walletSockets(config.walletReflector)));
  app.use(local ? sourceMapHeader : noSourceMaps);
  app.use(offlineHeaders(shells));
  app.use(moduleFiles(moduleStore, published));
  app.use(shellFiles(shells));
  app.use(notFoundPage);
  return () => undefined;
}

/** Returns the built page; in local mode with the development wallet. */
async function pageOf({ local }: GatewayConfig, shells: Shells): Promise<PageSource> {
  const built = builtPage(shells);
  if (!local) return built;
  const { withDevelopmentWallet } = await import('./dev/wallet-script.js');
  return withDevelopmentWallet(built);
}

/** Logs each call when its response ends: server errors at info, all others at debug. */
function logEnd(ctx: Koa.Context, log: Log, cause: Cause): void {
  const startMs = performance.now();
  ctx.res.once('close', () => {
    const { statusCode: status } = ctx.res;
    const level = status >= 500 ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    const { method, path } = ctx;
    const line = { method, path, status, ms: performance.now() - startMs };
    runWithCause(cause, () => log[level](line, 'request'));
  });
}

/** Assigns the request id, and turns internal errors into problem details without a stack trace. */
function answerFailures(log: Log): Koa.Middleware {
  return (ctx, next) => {
    const step = { name: ctx.method, kind: 'server', parent: validTraceparent(ctx.get('traceparent')) } as const;
    return withSpan('gateway', step, (span) => answered(ctx, next, log, span));
  };
}

async function answered(ctx: Koa.Context, next: Koa.Next, log: Log, span: Span | undefined): Promise<void> {
  const requestId = randomUUID();
  // Continues the caller's trace; a call without one starts it here.
  const cause = { requestId, traceparent: span?.traceparent ?? traceparentOf(ctx.get('traceparent')) };
  Object.assign(ctx.state, cause);
  ctx.set('x-request-id', requestId);
  logEnd(ctx, log, cause);
  try {
    await next();
  } catch (error) {
    runWithCause(cause, () => log.error({ err: error, path: ctx.path }, 'a request failed in the gateway'));
    ctx.respond = false;
    const message = 'Something went wrong here. Please try again.';
    refuse(ctx.res, { status: 500, type: 'internal', message }, requestId);
  }
}
