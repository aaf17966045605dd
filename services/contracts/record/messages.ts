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
 * What goes between two programs that may be of two releases. A request is refused where it does not fit; an answer is
 * read once; an event stands in its stream for years, so that it is read by every release to come. A reading is no message:
 * it is what one consumer takes of an event.
 */
export type MessageKind = 'request' | 'answer' | 'event' | 'reading';

/** One message of the system by the name that a record and a finding give it. */
export interface Message {
  name: string;
  kind: MessageKind;
  schema: z.ZodType;
}

/** The parts of a call that its caller sends. */
export const SENT_PARTS = ['params', 'query', 'body'] as const;

const eventName = (kind: EventKind) => `event ${kindName(kind)}`;
const READS_OF = ' reads ';
const readingName = (service: ServiceName, kind: EventKind) => `${service}${READS_OF}${kindName(kind)}`;

/** The event of which a reading takes its part. */
export function eventReadBy(reading: string): string {
  return `event ${reading.slice(reading.indexOf(READS_OF) + READS_OF.length)}`;
}

/** Every message of this release, by name. */
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

/** What a reader of this schema takes, as JSON Schema. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  });
  return json as JsonSchema;
}
