import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestersOf } from '@cord/contracts/events/permissions';
import type { Rpc } from '@cord/contracts/rpc/rpc';
import {
  fallbackSubject,
  generalSubject,
  hasFallback,
  partitionOf,
  partitionSubject,
} from '@cord/contracts/rules/affinity';
import {
  headers,
  type Msg,
  type RequestOptions as NatsRequestOptions,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  type Subscription,
  TimeoutError,
} from '@nats-io/transport-node';
import { ZodError, z } from 'zod';
import { RPC_IN_FLIGHT_MAX, RPC_TIMEOUT_MS } from '../bounds.js';
import { currentCause, readCause, runWithCause, writeCause } from '../cause.js';
import { traceparentOf } from '../http/trace.js';
import { jsonIn } from '../json.js';
import type { Nats } from '../nats.js';
import { badFields, Problem, unavailable } from '../problem.js';
import type { Replicas } from '../replicas.js';
import { fieldErrors } from '../schema-errors.js';
import { isStoreUnavailable } from '../store-errors.js';
import { withSpanFor } from '../tracing.js';
import type { Consuming } from './consume.js';

export interface RequestOptions {
  /** Default 2 s. */
  timeoutMs?: number;
  /** Sends to the replica that owns this user; to any, at once, when none does (services/README.md#one-writer-per-user). */
  userId?: string;
}

/** Outcome of a request to another service. */
export interface RequestOutcome {
  subject: string;
  outcome: 'answered' | 'refused' | 'unavailable';
  seconds: number;
}

export interface ServeContext {
  /** The subject as sent: for `ledger.credit.*` it names the caller. */
  subject: string;
}

const problemOnWire = z.object({
  status: z.number().int().min(400).max(599),
  type: z.string(),
  message: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

const replyOnWire = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({ ok: z.literal(false), problem: problemOnWire }),
]);

/** See `Nats.serve`. */
export function serve<Req extends z.ZodType, Res extends z.ZodType>(
  nats: Nats,
  rpc: Rpc<Req, Res>,
  handler: (request: z.output<Req>, context: ServeContext) => Promise<z.input<Res>>,
  replicas?: Pick<Replicas, 'owning'>,
): Consuming {
  const running = new Set<Promise<void>>();
  const answer = async (msg: Msg): Promise<void> => {
    const startMs = performance.now();
    const { subject } = msg;
    const cause = readCause(msg.headers) ?? { traceparent: traceparentOf(undefined) };
    const step = { name: `answer ${generalSubject(subject)}`, kind: 'server' } as const;
    const reply = await withSpanFor(nats.service, cause, step, () => replyTo(msg));
    // The first response counts: a replica that cannot respond leaves it to the others.
    const isForOthers = rpc.toEach && 'problem' in reply && reply.problem.status >= 500;
    if (!nats.nc.isClosed() && !isForOthers) msg.respond(JSON.stringify(reply));
    if (!nats.log.isLevelEnabled('debug')) return;
    const outcome = reply.ok ? 'answered' : 'refused';
    const line = { subject, outcome, ms: performance.now() - startMs };
    runWithCause(cause, () => nats.log.debug(line, 'a request was handled'));
  };
  const replyTo = async (msg: Msg) => {
    try {
      nats.assertClockTrusted();
      if (running.size >= RPC_IN_FLIGHT_MAX) throw unavailable('busy', 'Too many requests are running', 1);
      const parsed = rpc.request.safeParse(jsonIn(msg.string()));
      if (!parsed.success) throw badFields(fieldErrors(parsed.error));
      const value = await handler(parsed.data, { subject: msg.subject });
      return { ok: true, value: rpc.reply.parse(value) };
    } catch (err) {
      return {
        ok: false,
        problem: problemOf(err, (text) => {
          nats.log.error({ err, subject: msg.subject }, text);
        }),
      };
    }
  };
  const listen = (subject: string): Subscription =>
    nats.nc.subscribe(subject, {
      ...(rpc.toEach ? {} : { queue: nats.service }),
      callback: (err, msg) => {
        if (err) {
          nats.log.error({ err, subject }, 'the subscription to requests failed');
          return;
        }
        if (!mayRequest(nats, subject, msg)) {
          nats.log.error(
            { subject: msg.subject, reply: msg.reply },
            'a request without the reply address of an allowed caller was ignored',
          );
          return;
        }
        const run = answer(msg)
          .catch((failure: unknown) => nats.log.error({ err: failure, subject: msg.subject }, 'a reply was not sent'))
          .finally(() => running.delete(run));
        running.add(run);
      },
    });
  const subscriptions = new Set<Subscription>();
  /** Handles what has arrived. A subscription that the server refused is closed and has nothing. */
  const drain = async (one: Subscription): Promise<void> => {
    if (!nats.nc.isClosed() && !one.isClosed()) await one.drain();
  };
  /** @returns a function that closes it */
  const open = (subject: string) => {
    const subscription = listen(subject);
    subscriptions.add(subscription);
    return () => {
      subscriptions.delete(subscription);
      void drain(subscription);
    };
  };
  const subjectFor = (yields: boolean) => (yields ? fallbackSubject(rpc.subject) : rpc.subject);
  let close = open(subjectFor(hasFallback(rpc.subject) && nats.isYielding()));
  const offYield = nats.onYield((yields) => {
    if (!hasFallback(rpc.subject) || nats.nc.isClosed()) return;
    const before = close;
    // Open the other one first, so that this replica is never without a subscription.
    close = open(subjectFor(yields));
    before();
  });
  replicas?.owning((partition) => open(partitionSubject(rpc.subject, partition)));
  return {
    async stop() {
      offYield();
      await Promise.all([...subscriptions].map(drain));
      // After this time the caller has given up.
      await Promise.race([Promise.all(running), sleep(RPC_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * A request between services counts only with a reply subject in the inbox of a service that may send it: messages that JetStream
 * can be made to put on a request's subject have none. A server without users cannot distinguish callers.
 */
function mayRequest(nats: Nats, subject: string, msg: Msg): boolean {
  if (!subject.startsWith('cord.rpc.') || nats.nc.info?.auth_required !== true) return true;
  return requestersOf(msg.subject).some((service) => msg.reply?.startsWith(`_INBOX_${service}.`));
}

/** See `Nats.request`. */
export function request<Req extends z.ZodType, Res extends z.ZodType>(
  nats: Nats,
  rpc: Rpc<Req, Res>,
  payload: z.input<Req>,
  options: RequestOptions = {},
): Promise<z.output<Res>> {
  const step = { name: `request ${rpc.subject}`, kind: 'client' } as const;
  return withSpanFor(nats.service, currentCause(), step, () => timed(nats, rpc, payload, options));
}

async function timed<Req extends z.ZodType, Res extends z.ZodType>(
  nats: Nats,
  rpc: Rpc<Req, Res>,
  payload: z.input<Req>,
  options: RequestOptions,
): Promise<z.output<Res>> {
  const body = JSON.stringify(rpc.request.parse(payload));
  const startMs = performance.now();
  const report = (outcome: RequestOutcome['outcome']) =>
    nats.requested({ subject: rpc.subject, outcome, seconds: (performance.now() - startMs) / 1_000 });
  const hdrs = headers();
  const cause = currentCause();
  if (cause) writeCause(hdrs, cause);
  const requestOptions = { timeout: options.timeoutMs ?? RPC_TIMEOUT_MS, headers: hdrs };
  const answer = await requestOwner(nats, rpc.subject, body, requestOptions, options.userId).catch((err: unknown) => {
    report('unavailable');
    throw err;
  });
  const reply = replyOnWire.parse(jsonIn(answer.string()));
  report(reply.ok ? 'answered' : 'refused');
  if (reply.ok) return rpc.reply.parse(reply.value);
  const { status, type, message, errors, headers: extra } = reply.problem;
  throw new Problem(status, type, message, { ...(errors ? { errors } : {}), ...(extra ? { headers: extra } : {}) });
}

/** Sends to the replica that owns the user, to any when none does, and to one that yields when there is no other. */
async function requestOwner(
  nats: Nats,
  subject: string,
  body: string,
  requestOptions: NatsRequestOptions,
  userId?: string,
) {
  const before = userId === undefined ? [] : [partitionSubject(subject, partitionOf(userId))];
  // The general subject again: a replica may have moved back during the other attempt.
  for (const one of hasFallback(subject) ? [...before, subject, fallbackSubject(subject)] : before) {
    try {
      return await send(nats, one, body, requestOptions);
    } catch (err) {
      if (!(err instanceof Problem && hasNoResponders(err.cause))) throw err;
    }
  }
  return send(nats, subject, body, requestOptions);
}

/** Whether certainly no service has received the request: a timeout leaves that open. */
function hasNoResponders(err: unknown): boolean {
  return err instanceof NoRespondersError || (err instanceof RequestError && err.isNoResponders());
}

async function send(nats: Nats, subject: string, body: string, requestOptions: NatsRequestOptions) {
  if (!nats.connected()) throw serviceUnavailable(subject, undefined);
  try {
    return await nats.nc.request(subject, body, { ...requestOptions, noMux: true, reply: secretInboxOf(nats) });
  } catch (err) {
    // A missing permission is a bug of ours, not an outage.
    if (err instanceof RequestError && err.cause instanceof PermissionViolationError) throw err.cause;
    const unanswered = err instanceof TimeoutError || err instanceof NoRespondersError || err instanceof RequestError;
    if (unanswered || !nats.connected()) throw serviceUnavailable(subject, err);
    throw err;
  }
}

/**
 * Returns 128 random bits below our own inbox, for each attempt: only the responder receives the address. The client's own inboxes are
 * predictable, and JetStream can be made to put a stored text on any known subject.
 */
function secretInboxOf(nats: Nats): string {
  return `_INBOX_${nats.service}.${randomBytes(16).toString('hex')}`;
}

function serviceUnavailable(subject: string, cause: unknown): Problem {
  return unavailable('service-unavailable', `No response on ${generalSubject(subject)}`, 1, cause);
}

function problemOf(err: unknown, logError: (text: string) => void): z.input<typeof problemOnWire> {
  if (err instanceof Problem) {
    return {
      status: err.status,
      type: err.type,
      message: err.message,
      errors: err.errors,
      headers: { ...err.headers },
    };
  }
  if (isStoreUnavailable(err)) {
    logError('the store is unavailable');
    return { status: 503, type: 'store-unavailable', message: 'The store is away', headers: { 'Retry-After': '1' } };
  }
  logError(err instanceof ZodError ? 'a reply does not match its schema' : 'a request failed');
  return { status: 500, type: 'internal-error', message: 'Something went wrong' };
}
