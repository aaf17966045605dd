import { setTimeout as sleep } from 'node:timers/promises';
import type { Rpc } from '@cord/contracts/rpc/rpc';
import {
  headers,
  type Msg,
  NoRespondersError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node';
import { ZodError, z } from 'zod';
import { RPC_IN_FLIGHT_MAX, RPC_TIMEOUT_MS } from '../bounds.js';
import type { Nats } from '../nats.js';
import { badFields, Problem, unavailable } from '../problem.js';
import { fieldErrors } from '../schema-errors.js';
import { isStoreUnavailable } from '../store-errors.js';
import type { Consuming } from './consume.js';

const REQUEST_ID = 'X-Request-Id';

export interface RequestOptions {
  /** Default 2 s. */
  timeoutMs?: number;
  /** Carried along, so that one request is found in every service's log. */
  requestId?: string;
}

export interface ServeContext {
  /** The subject as sent: `ledger.credit.*` tells callers apart by its last word. */
  subject: string;
  requestId: string | undefined;
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
): Consuming {
  const running = new Set<Promise<void>>();
  const answer = async (msg: Msg): Promise<void> => {
    const requestId = msg.headers?.get(REQUEST_ID) || undefined;
    const reply = await replyTo(msg, requestId);
    if (!nats.nc.isClosed()) msg.respond(JSON.stringify(reply));
  };
  const replyTo = async (msg: Msg, requestId: string | undefined) => {
    try {
      if (running.size >= RPC_IN_FLIGHT_MAX) throw unavailable('busy', 'Too many requests are running', 1);
      const parsed = rpc.request.safeParse(parseJson(msg));
      if (!parsed.success) throw badFields(fieldErrors(parsed.error));
      const value = await handler(parsed.data, { subject: msg.subject, requestId });
      return { ok: true, value: rpc.reply.parse(value) };
    } catch (err) {
      return {
        ok: false,
        problem: problemOf(err, (text) => nats.log.error({ err, requestId, subject: msg.subject }, text)),
      };
    }
  };
  const subscription = nats.nc.subscribe(rpc.subject, {
    queue: nats.service,
    callback: (err, msg) => {
      if (err) {
        nats.log.error({ err, subject: rpc.subject }, 'requests on this subject cannot be answered');
        return;
      }
      const run = answer(msg)
        .catch((failure: unknown) => nats.log.error({ err: failure, subject: msg.subject }, 'a reply was not sent'))
        .finally(() => running.delete(run));
      running.add(run);
    },
  });
  return {
    async stop() {
      if (!nats.nc.isClosed()) await subscription.drain();
      // Whoever asked has given up after this time.
      await Promise.race([Promise.all(running), sleep(RPC_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** See `Nats.request`. */
export async function request<Req extends z.ZodType, Res extends z.ZodType>(
  nats: Nats,
  rpc: Rpc<Req, Res>,
  payload: z.input<Req>,
  options: RequestOptions = {},
): Promise<z.output<Res>> {
  const body = JSON.stringify(rpc.request.parse(payload));
  const hdrs = headers();
  if (options.requestId) hdrs.set(REQUEST_ID, options.requestId);
  const reply = replyOnWire.parse(
    parseJson(await ask(nats, rpc.subject, body, options.timeoutMs ?? RPC_TIMEOUT_MS, hdrs)),
  );
  if (reply.ok) return rpc.reply.parse(reply.value);
  const { status, type, message, errors, headers: extra } = reply.problem;
  throw new Problem(status, type, message, { ...(errors ? { errors } : {}), ...(extra ? { headers: extra } : {}) });
}

async function ask(nats: Nats, subject: string, body: string, timeoutMs: number, hdrs: ReturnType<typeof headers>) {
  if (!nats.connected()) throw serviceUnavailable(subject, undefined);
  try {
    return await nats.nc.request(subject, body, { timeout: timeoutMs, headers: hdrs });
  } catch (err) {
    // Not allowed to ask is our mistake, not an absence.
    if (err instanceof RequestError && err.cause instanceof PermissionViolationError) throw err.cause;
    const unanswered = err instanceof TimeoutError || err instanceof NoRespondersError || err instanceof RequestError;
    if (unanswered || !nats.connected()) throw serviceUnavailable(subject, err);
    throw err;
  }
}

function serviceUnavailable(subject: string, cause: unknown): Problem {
  return unavailable('service-unavailable', `No answer on ${subject}`, 1, cause);
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
    logError('the store is away');
    return { status: 503, type: 'store-unavailable', message: 'The store is away', headers: { 'Retry-After': '1' } };
  }
  logError(err instanceof ZodError ? 'a reply does not fit its schema' : 'a request failed');
  return { status: 500, type: 'internal-error', message: 'Something went wrong' };
}

function parseJson(msg: Msg): unknown {
  try {
    return JSON.parse(msg.string());
  } catch {
    return undefined;
  }
}
