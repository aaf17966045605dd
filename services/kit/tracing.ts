import type { Connection } from 'mongoose';
import { type Cause, runCaused } from './cause.js';
import type { Tracer } from './tracing/otel.js';

/*
 * Traces by OpenTelemetry, off unless OTEL_EXPORTER_OTLP_ENDPOINT names where they go: then, and only then, its packages are loaded.
 * Off, a step is a call of its work. The spans are made by hand, at the places where a cause passes by: calls, requests, events.
 */

/** A step of a request's way through the services. */
export interface Step {
  /** What is done, in short: never an id. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** W3C: of what it comes; a step without one begins a trace. */
  parent?: string | undefined;
  attributes?: Readonly<Record<string, string>>;
}

/** The step as it runs. */
export interface Span {
  /** For what comes of it. */
  readonly traceparent: string;
  /** Adds attributes once they are known. */
  describe(name: string, attributes: Readonly<Record<string, string | number>>): void;
  /** It went wrong, without a throw. */
  fail(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** By service: tests run several in one process. */
const tracers = new Map<string, Tracer>();

/** Whether the environment requests traces. */
export function tracesWanted(env: Environment = process.env): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** Begins to trace where the environment requests it. */
export async function startTracing(service: string, version: string): Promise<void> {
  if (!tracesWanted() || tracers.has(service)) return;
  const { createTracer } = await import('./tracing/otel.js');
  tracers.set(service, createTracer(service, version));
}

/** Sends what has not gone out yet, and ends. */
export async function stopTracing(service: string): Promise<void> {
  const tracer = tracers.get(service);
  tracers.delete(service);
  await tracer?.stop();
}

/** Does the work as a step of a trace, or, where nothing is traced, just does it: then there is no span. */
export function traced<T>(service: string, step: Step, work: (span: Span | undefined) => Promise<T>): Promise<T> {
  const tracer = tracers.get(service);
  return tracer ? tracer.run(step, work) : work(undefined);
}

/** Runs the work for a cause, as a step of its trace; what has no cause is no step of anybody's request. */
export function tracedFor<T>(
  service: string,
  cause: Cause | undefined,
  step: Omit<Step, 'parent'>,
  work: () => Promise<T>,
): Promise<T> {
  if (cause === undefined || !tracers.has(service)) return runCaused(cause, work);
  return traced(service, { ...step, parent: cause.traceparent }, (span) =>
    runCaused(span ? { ...cause, traceparent: span.traceparent } : cause, work),
  );
}

/** What the connection to a service's store is opened with: commands are reported only where they are traced. */
export function monitoredBy(service: string): { monitorCommands?: true } {
  return tracers.has(service) ? { monitorCommands: true } : {};
}

/** Makes each command to the store a step of what sends it. */
export function followStore(service: string, store: Connection): void {
  tracers.get(service)?.followStore(store.getClient());
}
