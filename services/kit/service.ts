import { setTimeout as sleep } from 'node:timers/promises';
import type { RateClass, ServiceName } from '@cord/contracts/endpoint';
import { userErased } from '@cord/contracts/events/user';
import { RATE_LIMITS } from '@cord/contracts/limits';
import type { PromisingService } from '@cord/contracts/rpc/parked';
import type { Connection } from 'mongoose';
import type { z } from 'zod';
import { createLimitHash } from './address.js';
import { AUDIT_LOG, auditRetention } from './audit-log.js';
import { RPC_TIMEOUT_MS, START_LOG_EVERY_MS, STORE_HEARTBEAT_MS } from './bounds.js';
import { callerReader } from './caller.js';
import { createCertificates } from './certificates.js';
import { type Clock, systemClock } from './clock.js';
import { watchedClock } from './clock-watch.js';
import type { AnyCollection, DataPlan } from './collection.js';
import {
  type BaseConfig,
  ConfigError,
  isLocalMode,
  isLoopback,
  loadConfig,
  serviceConfig,
  warnOfUnknownVariables,
} from './config.js';
import { eraseUser } from './erase.js';
import { createHealth, type Health } from './health.js';
import { createHttp, type Http } from './http.js';
import { createIdempotency, type Idempotency } from './idempotency.js';
import { createLeases, type Leases } from './lease.js';
import { createLedgerClient, type LedgerClient } from './ledger-client.js';
import { createLive, type Live } from './live.js';
import { createLogger, type Log } from './log.js';
import { BUILD } from './metrics/build.js';
import { createMetrics, type Metrics } from './metrics.js';
import { withKit } from './migration/plan.js';
import { awaitMigration } from './migration/state.js';
import { on } from './nats/consume.js';
import { measureStreams } from './nats/figures.js';
import { natsTimeMs } from './nats/server-time.js';
import { connectNats, type Nats } from './nats.js';
import type { OutboxDocument } from './outbox/items.js';
import { serveParkedCredits } from './outbox/serve-parked.js';
import { createOutbox, type Outbox, type OutboxOptions } from './outbox.js';
import { periodic, runWhileServing } from './periodic.js';
import { createPresence, type Presence } from './presence.js';
import { createRateLimits } from './rate-limit.js';
import { createRepublisher } from './republish.js';
import { createShutdown, type Shutdown, stopOnSignals } from './shutdown.js';
import { measureStore } from './store/figures.js';
import { watchDriver } from './store/watch.js';
import { connectStore, isStoreUp, storeTimeMs } from './store.js';
import { exitWhenStuck } from './stuck.js';
import { followSwitches, type Switches } from './switches.js';
import { createSwitchesStore } from './switches-store.js';
import { awaitTopology } from './topology/check.js';
import { followStore, monitorOptions, startTracing, stopTracing } from './tracing.js';

/** The parts of a service. All are created explicitly, in the order of this list. */
export interface Kit<C = BaseConfig> {
  name: ServiceName;
  config: C;
  log: Log;
  clock: Clock;
  metrics: Metrics;
  health: Health;
  nats: Nats;
  store: Connection;
  leases: Leases;
  ledger: LedgerClient;
  live: Live;
  /** Switches that operators may throw. */
  switches: Pick<Switches, 'isOn' | 'requireOn' | 'refresh' | 'spans'>;
  /** Marks users without calls as online, in addition to callers. */
  presence: Pick<Presence, 'markSeen'>;
  /** Deletes a user's keys automatically on user.erased; auth, which consumes no such event, calls it. */
  idempotency: Pick<Idempotency, 'forgetUser'>;
  http: Http;
  /** The outbox of a collection; its sweeps run from the end of `build` to the stop of the service. */
  outbox<D extends OutboxDocument>(collection: AnyCollection, hooks?: OutboxHooks<D>): Outbox;
  /**
   * Republishes the service's own streams when necessary, by the `states` of its collections.
   * @param parts inputs of `states` besides store and time
   */
  republish(parts?: object): void;
  /** Erases a user from its collections, as declared, and from its streams; repeatable. */
  erase(userId: string): Promise<void>;
  /** Registers what to stop: consumers before the relay. */
  shutdown: Shutdown;
  localMode: boolean;
}

/** A service's hooks into its outbox. */
type OutboxHooks<D extends OutboxDocument> = Pick<OutboxOptions<D>, 'beforePublish' | 'onCredited'>;

export interface ServiceDefinition<S extends z.ZodObject = z.ZodObject> {
  name: ServiceName;
  /** `baseConfig`, extended with the service's own variables. */
  config: S;
  /** Its collections, as `npx cord migrate` creates them; the service waits for that. */
  data: DataPlan;
  /** Variables required outside local mode; reported together with everything else that is missing. */
  needed?: readonly string[];
  /** Wires the service: collections, routes, consumers, relay. It is ready when this resolves. */
  build(kit: Kit<z.output<S> & BaseConfig>): Promise<void>;
}

interface StartOptions {
  env?: Record<string, string | undefined>;
  clock?: Clock;
  /** The machine's own clock, ms since epoch, to compare with the store's; default Date.now. */
  machineNow?: () => number;
  log?: Log;
  /** Default `cord_<service>`. */
  dbName?: string;
  /** Figures of the process; off when several services share one. */
  processFigures?: boolean;
  /** Time between unready and closed, ms; default DRAIN_MS. */
  drainMs?: number;
  /** Stop on SIGTERM and SIGINT, and exit; from the very start. */
  signals?: boolean;
}

export interface RunningService {
  /** URL for calls; operations are on the next port (`opsUrlOf`). */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts a service: it listens at once and responds 503 until NATS, the store and its own wiring are ready.
 * @throws ConfigError for an invalid environment
 */
export async function startService<S extends z.ZodObject>(
  definition: ServiceDefinition<S>,
  options: StartOptions = {},
): Promise<RunningService> {
  const { name } = definition;
  const config = loadConfig(definition.config.extend(serviceConfig), options.env, definition.needed) as z.output<S> &
    BaseConfig & { CALLER_KEY: readonly string[] };
  const log = options.log ?? createLogger(name, config.LOG_LEVEL);
  warnOfUnknownVariables(log, options.env);
  const localMode = isLocalMode(config);
  if (!localMode && !isLoopback(config.HOST) && config.TRUSTED_PROXIES.length === 0) {
    log.warn(
      'TRUSTED_PROXIES is empty: the caller counts as the client, so all users behind one gateway share its limits',
    );
  }
  const { drainMs = config.DRAIN_MS } = options;
  const shutdown = createShutdown(log, { drainMs });
  if (options.signals) stopOnSignals(shutdown, log, drainMs);
  if (options.signals && !localMode) exitWhenStuck(name);
  const devClock = localMode && !options.clock ? await import('./dev-clock.js') : undefined;
  await startTracing(name, BUILD.version);
  const movable = devClock?.loadDevClock(config.CORD_DATA);
  const { clock, compareWith } = watchedClock(options.clock ?? movable ?? systemClock(), {
    log,
    now: options.machineNow,
    also: movable?.differs,
  });
  const metrics = createMetrics(name, { processFigures: options.processFigures ?? true });
  const health = createHealth();
  const late = deferredParts();
  let presence: Presence | undefined;
  const http = createHttp({
    service: name,
    log,
    clock,
    config,
    readCaller: callerReader(name, config.CALLER_KEY),
    metrics,
    health,
    onUser: (userId) => presence?.markSeen(userId),
    ...late.parts,
  });
  if (devClock && movable) devClock.serveDevClock(http, movable, config.PUBLIC_ORIGIN);

  /** A crash loses nothing, and the supervisor restarts the process; a shared process is left running. */
  const shutDownIfLost = (reason: string | undefined): void => {
    if (reason === undefined) return;
    log.fatal({ reason }, 'the store driver is stuck; exiting');
    if (options.signals) process.exit(1);
  };

  const url = await http.listen();
  shutdown.on('unready', 'unready', () => health.setDraining());
  shutdown.on('http', 'http', () => http.close());
  const waitLog = setInterval(() => {
    log.warn({ waitingFor: health.waitingFor() }, 'still starting');
  }, START_LOG_EVERY_MS);
  try {
    health.waitFor('nats');
    const certificates = createCertificates(metrics);
    const nats = await connectNats(config, name, log, shutdown.signal, certificates.of('nats'));
    nats.useClock(clock);
    shutdown.on('nats', 'nats', () => nats.drain());
    const requests = metrics.histogram('cord_rpc_duration_seconds');
    measureStreams(metrics, nats, name);
    nats.onRequested(({ seconds, ...labels }) => requests.observe(labels, seconds));
    presence = createPresence(nats, name, { clock, log, metrics });
    shutdown.on('consumers', 'presence', () => presence?.stop());
    health.waitFor('store');
    const dbName = options.dbName ?? `cord_${name}`;
    const store = await connectStore(config.MONGODB_URI, dbName, log, shutdown.signal, {
      ...monitorOptions(name),
      ...certificates.of('store'),
    });
    followStore(name, store);
    const clocks = [
      { name: 'store', read: () => storeTimeMs(store) },
      { name: 'nats', read: () => natsTimeMs(nats) },
    ];
    await compareWith(clocks, { metrics, health, shutdown });
    const watch = watchDriver(store.getClient(), measureStore(metrics, store));
    const looks = periodic(
      { clock, log, metrics },
      {
        name: 'store-watch',
        everyMs: STORE_HEARTBEAT_MS,
        everywhere: 'each process looks after its own driver',
        soon: false,
        run: async () => shutDownIfLost(watch.look()),
      },
    );
    looks.start();
    shutdown.on('unready', 'store-watch', () => looks.stop());
    shutdown.on('store', 'store', () => store.close());
    shutdown.on('store', 'traces', () => stopTracing(name));
    health.waitFor('npx cord migrate');
    await awaitMigration(store, withKit(definition.data), { log, signal: shutdown.signal });
    health.waitFor('npx cord streams');
    await awaitTopology(nats, name, shutdown.signal);
    const switches = await followSwitches(nats, { metrics, kept: createSwitchesStore(store) });
    shutdown.on('consumers', 'switches', () => switches.stop());
    health.waitFor('own wiring', nats.catchingUp);
    const idempotency = createIdempotency(store, clock);
    const { RATE_LIMIT_SCALE: scale, ADDRESS_HASH_KEY: addressKey } = config;
    const addressHash = addressKey === undefined ? undefined : createLimitHash(addressKey);
    const limited = metrics.counter('cord_rate_limited_total');
    for (const rateClass of Object.keys(RATE_LIMITS)) limited.inc({ class: rateClass }, 0);
    const onRefused = (rateClass: RateClass) => limited.inc({ class: rateClass });
    late.fill(
      createRateLimits({ scale, clock, store, onRefused, ...(addressHash ? { addressHash } : {}) }),
      idempotency,
    );
    nats.handleFirst(on(userErased, ({ userId }) => idempotency.forgetUser(userId)));
    health.add('nats', () => nats.connected());
    health.add('store', () => isStoreUp(store));
    const isStoreLost = () => store.readyState !== 1;
    nats.yieldWhile(isStoreLost);
    health.yieldWhile(() => nats.isYielding() && isStoreLost());
    const leases = createLeases(store, clock, `${name}-${config.CORD_REPLICA}`);
    metrics.measured('cord_lease_held', async () => leases.held().map((lease) => ({ labels: { lease }, value: 1 })));
    // After all lease holders have stopped, and before the store closes.
    shutdown.on('nats', 'leases', async () => {
      if (await isStoreUp(store)) await leases.releaseAll();
    });
    const ledger = createLedgerClient(nats, name);
    const outboxes: { outbox: Outbox; credits: boolean }[] = [];
    const delivering = { store, nats, clock, leases, log, metrics };
    await definition.build({
      name,
      config,
      log,
      clock,
      metrics,
      health,
      nats,
      store,
      leases,
      ledger,
      live: createLive(nats),
      switches,
      presence,
      idempotency,
      http,
      outbox({ name: collection, outbox: of }, hooks = {}) {
        const credits = of === 'credits';
        const outbox = createOutbox({ ...delivering, ...hooks, collection, ...(credits ? { ledger } : {}) });
        outboxes.push({ outbox, credits });
        shutdown.on('relay', `outbox of ${collection}`, () => outbox.stop());
        return outbox;
      },
      republish(parts) {
        const { data } = definition;
        const republisher = createRepublisher({ owner: name, data, parts, nats, store, clock, leases, log, metrics });
        republisher.start();
        shutdown.on('consumers', 'republishing', () => republisher.stop());
      },
      erase: (userId) => eraseUser({ store, nats }, definition.data, userId),
      shutdown,
      localMode,
    });
    const withCredits = outboxes.flatMap(({ outbox, credits }) => (credits ? [outbox] : []));
    if (withCredits.length > 0) {
      const serving = serveParkedCredits(nats, name as PromisingService, withCredits);
      shutdown.on('consumers', 'parked credits', () => serving.stop());
    }
    for (const { outbox } of outboxes) outbox.start();
    if (definition.data.includes(AUDIT_LOG))
      runWhileServing({ clock, log, leases, metrics, shutdown }, [auditRetention(store, clock)]);
    // A caller may send requests as soon as it is ready: NATS has its subscriptions by then.
    await Promise.race([nats.nc.flush(), sleep(RPC_TIMEOUT_MS, undefined, { ref: false })]);
  } catch (err) {
    const stopped = shutdown.signal.aborted;
    await shutdown.run();
    // Stopped during its start: the code that stopped it exits.
    if (!stopped || !options.signals) throw err;
    return { url, close: () => shutdown.run() };
  } finally {
    clearInterval(waitLog);
  }
  health.setReady();
  log.info({ url }, 'ready');
  return { url, close: () => shutdown.run() };
}

/** All of a service's main.ts: starts it and stops it on a signal; an invalid environment ends it with a clear message. */
export async function runService<S extends z.ZodObject>(definition: ServiceDefinition<S>): Promise<void> {
  try {
    await startService(definition, { signals: true });
  } catch (err) {
    const text = err instanceof ConfigError ? err.message : String(err instanceof Error ? err.stack : err);
    process.stderr.write(`${definition.name} cannot start: ${text}\n`);
    process.exit(1);
  }
}

type RateLimitsAndIdempotency = Pick<Parameters<typeof createHttp>[0], 'rateLimits'> &
  Required<Pick<Parameters<typeof createHttp>[0], 'idempotency'>>;

/** Limits and idempotency need the store, which connects after the port is open; no call passes before then. */
function deferredParts() {
  let rateLimits: RateLimitsAndIdempotency['rateLimits'] | undefined;
  let idempotency: RateLimitsAndIdempotency['idempotency'] | undefined;
  const connected = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the store is not connected yet');
    return part;
  };
  const parts: RateLimitsAndIdempotency = {
    rateLimits: {
      take: async (...call) => connected(rateLimits).take(...call),
      isSpent: async (...call) => connected(rateLimits).isSpent(...call),
    },
    idempotency: {
      once: async (call, run) => connected(idempotency).once(call, run),
      forgetUser: async (userId) => connected(idempotency).forgetUser(userId),
    },
  };
  return {
    parts,
    fill(limits: RateLimitsAndIdempotency['rateLimits'], once: RateLimitsAndIdempotency['idempotency']) {
      rateLimits = limits;
      idempotency = once;
    },
  };
}
