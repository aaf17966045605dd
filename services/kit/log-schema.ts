import { z } from 'zod';

/*
 * What a log line may say, so that whoever searches finds the same thing under the same name everywhere. No address, no name, no
 * token; `userId` is personal data, and lines are kept for 30 days at most.
 */

const text = z.string();
const count = z.number();

interface ErrorOnLine {
  type?: string | undefined;
  message: string;
  stack?: string | undefined;
  code?: unknown;
  cause?: ErrorOnLine | undefined;
}
const error: z.ZodType<ErrorOnLine> = z.strictObject({
  type: text.optional(),
  message: text,
  stack: text.optional(),
  code: z.unknown().optional(),
  cause: z.lazy(() => error).optional(),
});

/** On each line. */
const always = {
  level: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
  /** ISO 8601, UTC. */
  time: z.iso.datetime(),
  /** Who says it, its release, and which process of it. */
  service: text,
  version: text,
  pid: count,
  msg: text,
};

/** Of one request, on its way through all services. */
const request = {
  requestId: text,
  /** W3C: the trace that the request belongs to, 32 hex digits. */
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  method: text,
  path: text,
  /** Id of the endpoint. */
  route: text,
  status: count,
  /** How long it took. */
  ms: count,
  userId: text,
};

/** Of events and requests between services. */
const nats = {
  subject: text,
  stream: text,
  durable: text,
  streamSeq: count,
  deliveryCount: count,
  /** Of a dead letter. */
  deliveries: count,
  reply: text,
  servers: z.array(text),
};

/** Of what a service does. */
const work = {
  url: text,
  port: count,
  metricsPort: count,
  local: z.boolean(),
  signal: text,
  /** Of the shutdown. */
  step: text,
  stepMsMax: count,
  waitingFor: z.array(text),
  tries: count,
  waitMs: count,
  /** Of periodic work. */
  name: text,
  outbox: text,
  collection: text,
  id: text,
  key: text,
  reason: text,
  outcome: text,
  orderId: text,
  refundId: text,
  /** Of a push service: no more of its address, whose path is the device's. */
  host: text,
  file: text,
  /** Of publishing all state anew. */
  documents: count,
  told: count,
  unfit: count,
};

/** A line of the log of a service or of the gateway. */
export const logLine = z.strictObject({
  ...always,
  ...z.object({ ...request, ...nats, ...work, err: error }).partial().shape,
});
/** Further names, each of one place in the code; they may hold what they like. */
export const FURTHER_FIELDS = [
  'after',
  'by',
  'code',
  'changed',
  'created',
  'device',
  'friendId',
  'isNewUser',
  'missing',
  'module',
  'offsetMs',
  'owner',
  'peer',
  'places',
  'problems',
  'records',
  'referrerId',
  'refused',
  'seq',
  'sessions',
  'type',
  'variables',
  'why',
] as const;

/** @returns what is wrong with a line; nothing when it is as the schema says */
export function faultsOfLine(line: string): string[] {
  const fields = JSON.parse(line) as Record<string, unknown>;
  for (const name of FURTHER_FIELDS) delete fields[name];
  const parsed = logLine.safeParse(fields);
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
