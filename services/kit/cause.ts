import { AsyncLocalStorage } from 'node:async_hooks';
import { traceIdOf, traceparentOf } from './http/trace.js';

/**
 * What made something happen: the request of a person, and the trace that it belongs to. It is the request context of everything that
 * runs for a call or an event (`runCaused`, `causeNow`), stands beside the items of an outbox, and travels in the message's headers, so
 * that one id is found in every service's log.
 */
export interface Cause {
  /** Absent for periodic work, which no request caused. */
  readonly requestId?: string | undefined;
  /** W3C Trace Context. */
  readonly traceparent: string;
}

/** The context of what runs. There is one AsyncLocalStorage: each more costs every promise of the process. */
interface Context {
  readonly cause: Cause | undefined;
  /** Of a call under an Idempotency-Key its first run (idempotency.ts). */
  readonly firstRunId?: string;
}

const context = new AsyncLocalStorage<Context>();

/** The cause of what runs now; undefined where no request caused it. */
export function causeNow(): Cause | undefined {
  return context.getStore()?.cause;
}

/** Runs something for a cause, and all that it begins. */
export function runCaused<T>(cause: Cause | undefined, run: () => T): T {
  return cause === causeNow() ? run() : context.run({ cause }, run);
}

/** The first run of the call that runs now; undefined where it has no Idempotency-Key. */
export function firstRunNow(): string | undefined {
  return context.getStore()?.firstRunId;
}

/** Runs a call as one of the runs that take over from each other, for the same cause. */
export function runAsOneOf<T>(firstRunId: string, run: () => T): T {
  return context.run({ cause: causeNow(), firstRunId }, run);
}

/** Headers of a message: those of NATS, or a stand-in. */
interface Headers {
  get(name: string): string;
  set(name: string, value: string): void;
}

const REQUEST_ID = 'X-Request-Id';
const TRACEPARENT = 'traceparent';
const SAFE_REQUEST_ID = /^[\w-]{8,36}$/;

/** Whether an id that came from outside may stand in logs, headers and documents. */
export function isRequestId(given: string | undefined): given is string {
  return given !== undefined && SAFE_REQUEST_ID.test(given);
}

/** The cause that a message carries; none where its form is not safe. */
export function causeIn(headers: Pick<Headers, 'get'> | undefined): Cause | undefined {
  const requestId = headers?.get(REQUEST_ID);
  const given = headers?.get(TRACEPARENT);
  if (!requestId && !given) return undefined;
  return { ...(isRequestId(requestId) ? { requestId } : {}), traceparent: traceparentOf(given) };
}

/** Writes a cause into a message's headers. */
export function writeCause(headers: Pick<Headers, 'set'>, { requestId, traceparent }: Cause): void {
  if (requestId !== undefined) headers.set(REQUEST_ID, requestId);
  headers.set(TRACEPARENT, traceparent);
}

/** The request context as each log line has it. */
export function contextOnLine(): { requestId?: string; traceId?: string } {
  const cause = causeNow();
  if (cause === undefined) return {};
  const { requestId, traceparent } = cause;
  return { ...(requestId === undefined ? {} : { requestId }), traceId: traceIdOf(traceparent) };
}

/** What carries a cause from its document to the consumers of its event. */
export interface Caused {
  cause?: Cause;
}

/** The items that were not there before, with the cause of what runs now; those of before keep theirs. */
export function withCause<T extends Caused>(before: readonly T[] | undefined, after: readonly T[]): T[] {
  const cause = causeNow();
  const known = new Set(before);
  return after.map((item) => (cause === undefined || item.cause || known.has(item) ? item : { ...item, cause }));
}
