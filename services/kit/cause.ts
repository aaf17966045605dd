import { AsyncLocalStorage } from 'node:async_hooks';
import { traceIdOf, traceparentOf } from './http/trace.js';

/**
 * The cause of an action: a person's request, and its trace. It is the request context of everything that runs for a call or an event
 * (`runWithCause`, `currentCause`). It is stored with outbox items and travels in message headers, so that one id appears in every service's
 * log.
 */
export interface Cause {
  /** Absent for periodic work, which no request causes. */
  readonly requestId?: string | undefined;
  /** W3C Trace Context. */
  readonly traceparent: string;
}

/** The async context. There is only one AsyncLocalStorage, because each one slows every promise of the process. */
interface Context {
  readonly cause: Cause | undefined;
  /** For a call with an Idempotency-Key the id of its first run (idempotency.ts). */
  readonly firstRunId?: string;
}

const context = new AsyncLocalStorage<Context>();

/** Returns the current cause; undefined when no request caused this. */
export function currentCause(): Cause | undefined {
  return context.getStore()?.cause;
}

/** Runs a function, and all that it starts, under a cause. */
export function runWithCause<T>(cause: Cause | undefined, run: () => T): T {
  return cause === currentCause() ? run() : context.run({ cause }, run);
}

/** Returns the first run's id of the current call; undefined without an Idempotency-Key. */
export function currentFirstRunId(): string | undefined {
  return context.getStore()?.firstRunId;
}

/** Runs a call as one of successive runs under the same key, keeping the cause. */
export function runWithFirstRunId<T>(firstRunId: string, run: () => T): T {
  return context.run({ cause: currentCause(), firstRunId }, run);
}

/** Headers of a NATS message, or a stand-in. */
interface Headers {
  get(name: string): string;
  set(name: string, value: string): void;
}

const REQUEST_ID = 'X-Request-Id';
const TRACEPARENT = 'traceparent';
const SAFE_REQUEST_ID = /^[\w-]{8,36}$/;

/** Whether an external id is safe in logs, headers and documents. */
export function isRequestId(given: string | undefined): given is string {
  return given !== undefined && SAFE_REQUEST_ID.test(given);
}

/** Returns the cause in a message's headers; drops malformed ids. */
export function readCause(headers: Pick<Headers, 'get'> | undefined): Cause | undefined {
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

/** The request context for each log line. */
export function logContext(): { requestId?: string; traceId?: string } {
  const cause = currentCause();
  if (cause === undefined) return {};
  const { requestId, traceparent } = cause;
  return { ...(requestId === undefined ? {} : { requestId }), traceId: traceIdOf(traceparent) };
}

/** An item that carries its cause from the document to the consumers of its event. */
export interface Caused {
  cause?: Cause;
}

/** Adds the current cause to new items; earlier ones keep theirs. */
export function withCause<T extends Caused>(before: readonly T[] | undefined, after: readonly T[]): T[] {
  const cause = currentCause();
  const known = new Set(before);
  return after.map((item) => (cause === undefined || item.cause || known.has(item) ? item : { ...item, cause }));
}
