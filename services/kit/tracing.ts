import type { Connection } from 'mongoose';
import { type Cause, runWithCause } from './cause.js';
import type { Tracer } from './tracing/otel.js';

/*
 * Traces by OpenTelemetry, off unless OTEL_EXPORTER_OTLP_ENDPOINT names a collector: only then are its packages loaded. When off, a
 * step just calls its work. Spans are created explicitly where a cause passes: calls, requests, events.
 */

/** A step of a request through the services. */
export interface Step {
  /** Short description; never contains an id. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** W3C traceparent of the parent; a step without one starts a trace. */
  parent?: string | undefined;
  attributes?: Readonly<Record<string, string>>;
}

/** The running step. */
export interface Span {
  /** Traceparent for child steps. */
  readonly traceparent: string;
  /** Adds attributes once they are known. */
  describe(name: string, attributes: Readonly<Record<string, string | number>>): void;
  /** Marks the step as failed without an exception. */
  fail(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** By service: tests run several in one process. */
const tracers = new Map<string, Tracer>();

/** Whether the environment enables tracing. */
export function isTracingEnabled(env: Environment = process.env): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** Starts tracing when the environment enables it. */
export async function startTracing(service: string, version: string): Promise<void> {
  if (!isTracingEnabled() || tracers.has(service)) return;
  const { createTracer } = await import('./tracing/otel.js');
  tracers.set(service, createTracer(service, version));
}

/** Flushes pending spans and stops. */
export async function stopTracing(service: string): Promise<void> {
  const tracer = tracers.get(service);
  tracers.delete(service);
  await tracer?.stop();
}

/** Runs the work as a step of a trace; without tracing it just runs it, without a span. */
export function withSpan<T>(service: string, step: Step, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  const tracer = tracers.get(service);
  return tracer ? tracer.run(step, work) : work(undefined);
}

/** Runs the work under a cause, as a step of its trace; without a cause it belongs to no request's trace. */
export function withSpanFor<T>(
  service: string,
  cause: Cause | undefined,
  step: Omit<Step, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  if (cause === undefined || !tracers.has(service)) return runWithCause(cause, work);
  return withSpan(service, { ...step, parent: cause.traceparent }, (span) =>
    runWithCause(span ? { ...cause, traceparent: span.traceparent } : cause, work),
  );
}

/** Connection options of a service's store: commands are reported only when traced. */
export function monitorOptions(service: string): { monitorCommands?: true } {
  return tracers.has(service) ? { monitorCommands: true } : {};
}

/** Records each store command as a step of its sender. */
export function followStore(service: string, store: Connection): void {
  tracers.get(service)?.followStore(store.getClient());
}
