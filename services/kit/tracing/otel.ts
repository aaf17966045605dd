import { AsyncLocalStorage } from 'node:async_hooks';
import { type Span as OtelSpan, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { mongo } from 'mongoose';
import type { Span, Step } from '../tracing.js';

/** Spans of one service, exported to the collector in OTEL_EXPORTER_OTLP_ENDPOINT. */
export interface Tracer {
  run<T>(step: Step, work: (span: Span | undefined) => Promise<T>): Promise<T>;
  /** Records each command as a step of its sender; the client must monitor commands. */
  followStore(client: mongo.MongoClient): void;
  stop(): Promise<void>;
}

/** Maximum open spans of store commands without a response; older ones are dropped. */
const COMMANDS_MAX = 10_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** The step that sends a store command. Its cost arises only with tracing on (kit's README, Log). */
const under = new AsyncLocalStorage<OtelSpan>();

/** @param service and @param version name the resource; the sampler and the rest come from OpenTelemetry's own variables */
export function createTracer(service: string, version: string): Tracer {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('cord');
  return {
    async run({ name, kind, parent, attributes }, work) {
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes } }, contextOf(parent));
      const own: Span = {
        traceparent: traceparentOf(span),
        describe(text, more) {
          span.updateName(text);
          span.setAttributes({ ...more });
        },
        fail: () => void span.setStatus({ code: SpanStatusCode.ERROR }),
      };
      try {
        return await under.run(span, () => work(own));
      } catch (err) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: err instanceof Error ? err.name : 'error' });
        throw err;
      } finally {
        span.end();
      }
    },
    followStore(client) {
      const running = new Map<number, OtelSpan>();
      const end = (requestId: number, failed: boolean) => {
        const span = running.get(requestId);
        running.delete(requestId);
        if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      };
      client.on('commandStarted', ({ commandName, command, databaseName, requestId }) => {
        const parent = under.getStore();
        if (!parent || running.size >= COMMANDS_MAX) return;
        const collection = String(command[commandName] ?? '');
        const attributes = {
          'db.system.name': 'mongodb',
          'db.namespace': databaseName,
          'db.operation.name': commandName,
          'db.collection.name': collection,
        };
        const options = { kind: SpanKind.CLIENT, attributes };
        running.set(
          requestId,
          tracer.startSpan(`${commandName} ${collection}`, options, trace.setSpan(ROOT_CONTEXT, parent)),
        );
      });
      client.on('commandSucceeded', ({ requestId }) => end(requestId, false));
      client.on('commandFailed', ({ requestId }) => end(requestId, true));
    },
    // A collector that is away must not delay a stop; its spans are lost.
    stop: () => provider.shutdown().catch(() => undefined),
  };
}

function traceparentOf(span: OtelSpan): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

/** @param traceparent a valid one (http/trace.ts) */
function contextOf(traceparent: string | undefined) {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number(flags) & 1, isRemote: true });
}
