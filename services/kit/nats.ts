import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions } from 'node:tls';
import { kindName, kindNameIn, type SubjectKind } from '@cord/contracts/events/envelope';
import { streamOf } from '@cord/contracts/events/streams';
import type { Rpc } from '@cord/contracts/rpc/rpc';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { z } from 'zod';
import {
  NATS_CONNECT_TIMEOUT_MS,
  NATS_DRAIN_MS_MAX,
  NATS_PAYLOAD_BYTES_MAX,
  NATS_PING_INTERVAL_MS,
  NATS_PINGS_OUT_MAX,
  NATS_RECONNECT_WAIT_MS,
  NATS_RETRY_MS_MAX,
  PUBLISH_TIMEOUT_MS,
} from './bounds.js';
import { currentCause } from './cause.js';
import type { Clock } from './clock.js';
import { assertClockTrusted } from './clock-watch.js';
import { parseNatsUrl, readCredsFile } from './config.js';
import type { Log } from './log.js';
import { type ConsumeOptions, type Consuming, consume, type EventHandler } from './nats/consume.js';
import { type OrderedOptions, type OrderedReading, orderedConsume } from './nats/ordered.js';
import { eventText } from './nats/publishable.js';
import { type RequestOptions, type RequestOutcome, request, type ServeContext, serve } from './nats/rpc.js';
import { createRepublish, type Republished, type State, stateStreams } from './nats/state-streams.js';
import { createStatePublisher } from './nats/states.js';
import { createYielding, type Yielding } from './nats/yielding.js';
import type { Replicas } from './replicas.js';
import { withSpanFor } from './tracing.js';

/** Runs after an event was published, with its user and seq. */
type Follower = (event: { userId: string; seq: string }) => void;

/** A service's interface to NATS. */
export interface Nats extends Omit<Yielding, 'stop'> {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly service: string;
  /** Number of this replica, 0 to 31, unique among the running ones of a service. */
  readonly replica: number;
  readonly log: Log;
  /** Whether the connection is open and accepts messages; a draining one does not. */
  connected(): boolean;
  /**
   * Validates an event, publishes it and waits until the stream has stored it. A state that is not newer than the subject's
   * last one, by seq, is not written: it returns `duplicate` with the position of the last one.
   * @param msgId unique per stream; the server drops a second one within the duplicate window
   * @throws UnpublishableEvent for an event that no stream will ever accept, else NATS's error
   */
  publish(subject: string, payload: unknown, msgId: string): Promise<{ streamSeq: number; duplicate: boolean }>;
  /**
   * Republishes a state that the stream has lost: unless the subject's last message is not older, or is equal.
   * @returns whether it was written, and the version of the previous message
   * @throws UnpublishableEvent for an event that no stream will ever accept, else NATS's error
   */
  republishState(subject: string, payload: unknown): Promise<Republished>;
  /** Runs a function after each event of the kind that `publish` writes from now on. */
  onPublished(kind: SubjectKind, run: Follower): void;
  /** Reads a stream through the service's durable consumer, with dead letters. */
  consume(options: ConsumeOptions): Consuming;
  /** Adds a handler that runs before that of the stream's consumer, from now on. */
  handleFirst(first: EventHandler): void;
  /** Reads a whole stream for this replica only, from the beginning, in order. */
  orderedConsume(options: OrderedOptions): OrderedReading;
  /** Returns the whole-read streams that have not caught up yet. */
  catchingUp(): string[];
  /**
   * Serves requests; a service's replicas share them. One that yields gets only those that no other replica serves.
   * @param replicas when given, a user's requests go to the replica that owns the user
   */
  serve<Req extends z.ZodType, Res extends z.ZodType>(
    rpc: Rpc<Req, Res>,
    handler: (request: z.output<Req>, context: ServeContext) => Promise<z.input<Res>>,
    replicas?: Pick<Replicas, 'owning'>,
  ): Consuming;
  /**
   * Sends a request to another service.
   * @throws Problem that the other service raised; Problem 503 `service-unavailable` when none responds in time
   */
  request<Req extends z.ZodType, Res extends z.ZodType>(
    rpc: Rpc<Req, Res>,
    payload: z.input<Req>,
    options?: RequestOptions,
  ): Promise<z.output<Res>>;
  /** Stops handling events and requests while this clock is not trusted. */
  useClock(clock: Pick<Clock, 'wrong'>): void;
  /** @throws ClockIsWrong */
  assertClockTrusted(): void;
  /** Runs after each request to another service. */
  onRequested(run: (outcome: RequestOutcome) => void): void;
  requested(outcome: RequestOutcome): void;
  /** Runs for each message that becomes a dead letter. */
  onDeadLetter(run: (stream: string) => void): void;
  deadLettered(stream: string): void;
  /** Runs after each reconnection. */
  onReconnect(run: () => void): () => void;
  /** Ends all subscriptions after the work in flight, then the connection. */
  drain(): Promise<void>;
}

export interface NatsSettings {
  NATS_URL: string;
  NATS_CREDS?: string | undefined;
  /** Number of this replica; default 0. */
  CORD_REPLICA?: number;
}

/** Options of Node's `tls.connect`, which the client passes on. */
type TlsOptions = Pick<ConnectionOptions, 'checkServerIdentity'> & NonNullable<NodeConnectionOptions['tls']>;

/**
 * Connects, waiting as long as necessary: a service that starts before NATS logs it and continues when NATS is up.
 * @param service names the connection, the inbox `_INBOX_<service>` and the durable consumers
 * @param tls for a `tls://` address
 * @throws the signal's reason when stopped while waiting
 */
export async function connectNats(
  settings: NatsSettings,
  service: string,
  log: Log,
  signal?: AbortSignal,
  tls: TlsOptions = {},
): Promise<Nats> {
  const nc = await connectWaiting(connectionOptions(settings, service, tls), log, signal);
  return createNats(nc, service, settings.CORD_REPLICA ?? 0, log);
}

function connectionOptions(settings: NatsSettings, service: string, options: TlsOptions): NodeConnectionOptions {
  const { servers, user, pass, tls } = parseNatsUrl(settings.NATS_URL);
  const creds = settings.NATS_CREDS ? readCredsFile(settings.NATS_CREDS) : null;
  return {
    servers,
    name: service,
    inboxPrefix: `_INBOX_${service}`,
    timeout: NATS_CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: NATS_RECONNECT_WAIT_MS,
    pingInterval: NATS_PING_INTERVAL_MS,
    maxPingOut: NATS_PINGS_OUT_MAX,
    ignoreAuthErrorAbort: true,
    // With it a server without TLS is refused before anything is sent.
    ...(tls ? { tls: options } : {}),
    ...(creds ? { authenticator: credsAuthenticator(creds) } : {}),
    ...(user === undefined ? {} : { user, pass: pass ?? '' }),
  };
}

async function connectWaiting(
  options: NodeConnectionOptions,
  log: Log,
  signal: AbortSignal | undefined,
): Promise<NatsConnection> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await connect(options);
    } catch (err) {
      const waitMs = Math.min(NATS_RETRY_MS_MAX, 100 * 2 ** Math.min(tries, 10));
      const text = err instanceof Error ? err.message : String(err);
      log.warn({ servers: options.servers, tries, waitMs }, `waiting for NATS: ${text}`);
      await sleep(waitMs, undefined, signal ? { signal } : {});
    }
  }
}

async function createNats(nc: NatsConnection, service: string, replica: number, log: Log): Promise<Nats> {
  const js = jetstream(nc, { timeout: PUBLISH_TIMEOUT_MS });
  const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: PUBLISH_TIMEOUT_MS });
  const reconnected = new Set<() => void>();
  const deadLetterRuns: Array<(stream: string) => void> = [];
  const requestListeners: Array<(outcome: RequestOutcome) => void> = [];
  const firsts: EventHandler[] = [];
  const followers = new Map<string, Follower[]>();
  const behind = createWaits();
  const { stop: stopYielding, ...yielding } = createYielding();
  const publishState = createStatePublisher<State>(stateStreams({ js, jsm }));
  const republishState = createRepublish({ js, jsm });
  const stateIn = (subject: string, payload: unknown) => ({
    subject,
    text: eventText(subject, payload, nc.info?.max_payload ?? NATS_PAYLOAD_BYTES_MAX),
    stream: streamOf(subject.split('.')[1] ?? ''),
    seq: BigInt((payload as { seq: string }).seq),
  });
  let clock: Pick<Clock, 'wrong'> = {};
  let up = true;
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect') {
        up = false;
        log.warn('NATS is unreachable; reconnecting');
      }
      if (status.type === 'reconnect') {
        up = true;
        log.info('NATS is reachable again');
        for (const run of reconnected) run();
      }
      if (status.type === 'error') log.warn({ err: status.error }, 'NATS reported an error');
    }
    up = false;
  })();

  const nats: Nats = {
    ...yielding,
    nc,
    js,
    jsm,
    service,
    replica,
    log,
    connected: () => up && !nc.isClosed() && !nc.isDraining(),
    publish(subject, payload, msgId) {
      const step = { name: `publish ${kindNameIn(subject)}`, kind: 'producer' } as const;
      return withSpanFor(service, currentCause(), step, async () => {
        const written = await publishState({ ...stateIn(subject, payload), msgId });
        const event = payload as { userId: string; seq: string };
        if (!written.duplicate) for (const run of followers.get(kindNameIn(subject)) ?? []) run(event);
        return written;
      });
    },
    republishState: async (subject, payload) => republishState(stateIn(subject, payload)),
    onPublished(kind, run) {
      const name = kindName(kind);
      followers.set(name, [...(followers.get(name) ?? []), run]);
    },
    consume(options) {
      const here = firsts.filter(({ kind }) => streamOf(kind.thing).name === options.stream);
      return consume(nats, { ...options, handlers: here.reduce(withFirst, options.handlers) });
    },
    handleFirst: (first) => void firsts.push(first),
    orderedConsume(options) {
      const reading = orderedConsume(nats, options);
      behind.until(options.stream, reading.caughtUp);
      return reading;
    },
    catchingUp: behind.list,
    serve: (rpc, handler, replicas) => serve(nats, rpc, handler, replicas),
    request: (rpc, payload, options) => request(nats, rpc, payload, options),
    useClock(kept) {
      clock = kept;
    },
    assertClockTrusted: () => assertClockTrusted(clock),
    onRequested: (run) => void requestListeners.push(run),
    requested: (outcome) => {
      for (const run of requestListeners) run(outcome);
    },
    onDeadLetter: (run) => void deadLetterRuns.push(run),
    deadLettered: (stream) => {
      for (const run of deadLetterRuns) run(stream);
    },
    onReconnect(run) {
      reconnected.add(run);
      return () => reconnected.delete(run);
    },
    async drain() {
      stopYielding();
      if (nc.isClosed()) return;
      // A lost connection has nothing more to send.
      const drained = (up ? nc.drain() : nc.close()).catch(() => undefined);
      await Promise.race([drained, sleep(NATS_DRAIN_MS_MAX, undefined, { ref: false })]);
      if (!nc.isClosed()) await nc.close();
    },
  };
  return nats;
}

/** Tracks the names of outstanding waits. */
function createWaits() {
  const waits = new Set<{ name: string }>();
  return {
    until(name: string, come: Promise<void>): void {
      const wait = { name };
      waits.add(wait);
      void come.then(() => waits.delete(wait));
    },
    list: () => [...waits].map(({ name }) => name),
  };
}

function withFirst(handlers: readonly EventHandler[], first: EventHandler): readonly EventHandler[] {
  const own = handlers.find(({ kind }) => kindName(kind) === kindName(first.kind));
  const both: EventHandler = {
    kind: first.kind,
    async handle(event, delivery) {
      await first.handle(event, delivery);
      await own?.handle(event, delivery);
    },
  };
  return [both, ...handlers.filter((handler) => handler !== own)];
}
