import { z } from 'zod';
import { SERVICES, type ServiceName } from '../endpoint.js';
import { type EventKind, kindName } from '../events/envelope.js';
import { EVENTS } from '../events/index.js';
import { presenceMessage } from '../events/presence.js';
import { READS } from '../events/reads.js';
import { replicaMessage } from '../events/replicas.js';
import { ENDPOINTS } from '../http/index.js';
import { LIVE_DATA } from '../live/data.js';
import { RPCS } from '../rpc/index.js';
import { RIGHTS_CHANGED, rightsChanged } from '../rpc/rights.js';
import type { JsonSchema } from './json-schema.js';

/**
 * Kinds of messages between two programs of possibly different releases. A request that does not match is rejected; a
 * response is read once; an event stays in its stream for years, so every later release reads it. A reading is no message:
 * it is the part of an event that one consumer reads.
 */
export type MessageKind = 'request' | 'answer' | 'event' | 'reading';

/** One message of the system, with its name in records and findings. */
export interface Message {
  name: string;
  kind: MessageKind;
  schema: z.ZodType;
}

/** The parts of a call that the caller sends. */
export const SENT_PARTS = ['params', 'query', 'body'] as const;

const eventName = (kind: EventKind) => `event ${kindName(kind)}`;
const READS_OF = ' reads ';
const readingName = (service: ServiceName, kind: EventKind) => `${service}${READS_OF}${kindName(kind)}`;

/** Returns the event of a reading. */
export function eventReadBy(reading: string): string {
  return `event ${reading.slice(reading.indexOf(READS_OF) + READS_OF.length)}`;
}

/** Returns every message of this release. */
export function messages(): Message[] {
  const all: Message[] = [
    ...ENDPOINTS.flatMap((endpoint) => {
      const address = `${endpoint.method} ${endpoint.path}`;
      const sent = SENT_PARTS.map((part) => ({
        name: `${address} ${part}`,
        kind: 'request' as const,
        schema: endpoint[part],
      }));
      return [...sent, { name: `${address} response`, kind: 'answer' as const, schema: endpoint.response }];
    }),
    ...RPCS.flatMap(({ subject, request, reply }) => [
      { name: `request ${subject}`, kind: 'request' as const, schema: request },
      { name: `reply ${subject}`, kind: 'answer' as const, schema: reply },
    ]),
    ...EVENTS.map((event: EventKind) => ({
      name: eventName(event),
      kind: 'event' as const,
      schema: event.schema,
    })),
    ...SERVICES.flatMap((service) =>
      Object.values<EventKind>(READS[service]).map((kind) => ({
        name: readingName(service, kind),
        kind: 'reading' as const,
        schema: kind.schema,
      })),
    ),
    ...Object.entries(LIVE_DATA).map(([kind, schema]) => ({ name: `live ${kind}`, kind: 'answer' as const, schema })),
    { name: 'message cord.presence.v1', kind: 'answer', schema: presenceMessage },
    { name: 'message cord.replica.v1', kind: 'answer', schema: replicaMessage },
    { name: `message ${RIGHTS_CHANGED}`, kind: 'answer', schema: rightsChanged },
  ];
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the input that a reader of this schema accepts, as JSON Schema. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  });
  return json as JsonSchema;
}
