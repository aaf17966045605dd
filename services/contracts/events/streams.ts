import { SERVICES, type ServiceName } from '../endpoint.js';
import { MANIFESTS } from '../manifests/index.js';
import { OF_ALL } from './envelope.js';
import { EVENTS } from './index.js';
import { type HowRead, READS, type Reading } from './reads.js';

const DAY_MS = 86_400_000;

/** A JetStream stream. All use discard new: a full stream makes the outbox wait and never drops a message (services/README.md#events). */
export interface StreamDefinition {
  name: string;
  /** The only service that may publish here; `all` when each service may, under its own name. */
  owner: ServiceName | 'all';
  subjects: string[];
  /** Maximum age of a message, ms; 0 is unlimited. */
  maxAgeMs: number;
  /** 1 keeps only the last message per subject; -1 keeps all. */
  maxPerSubject: number;
  maxBytes: number;
  /** How long a message id is remembered for deduplication, ms. */
  duplicateWindowMs: number;
}

/** Number of users that the limits allow for. Fill is a metric (cord_stream_bytes): raise this well before a stream is full. */
export const STREAM_USERS = 500_000;

/** Things whose events concern all users, under NOBODY: one message per kind. */
export const THINGS_OF_ALL: readonly string[] = EVENTS.filter(({ bytes }) => bytes === OF_ALL).map(
  ({ thing }) => thing,
);

/** Bytes reserved for such events in a stream that holds nothing else. */
const OF_ALL_BYTES = 4 * 1024 ** 2;

/** Subject filter of a thing's events, all versions: v2 of a subject coexists with v1, and a release without v2 skips it. */
function subjectsOf(thing: string): string {
  return `cord.${thing}.*.>`;
}

/** The stream of dead letters of every service. */
export const DEAD_LETTERS = 'CORD_DEAD';

/** The stream that processes read NATS's time from: each publishes a message of its own and reads when it was stored. */
export const CLOCKS = 'CORD_CLOCKS';

/** Subject of one process's clock messages. */
export function clockSubject(service: string, replica: number): string {
  return `cord.clock.v1.${service}.${replica}`;
}

/**
 * A state stream: one message per subject, no age limit. It grows with users and not with time, so its limit is the bytes of
 * its kinds x users. 10.0 GB in all, 11.1 GB with dead letters. The single epoch table needs almost nothing.
 */
function states(name: string, owner: ServiceName, things: readonly string[]): StreamDefinition {
  const bytes = EVENTS.map((kind) => (things.includes(kind.thing) && kind.bytes !== OF_ALL ? kind.bytes : 0));
  return {
    name,
    owner,
    subjects: things.map(subjectsOf),
    maxAgeMs: 0,
    maxPerSubject: 1,
    maxBytes: STREAM_USERS * bytes.reduce((sum, each) => sum + each, 0) || OF_ALL_BYTES,
    duplicateWindowMs: 120_000,
  };
}

/** Every stream and its limits: those in the manifests, the dead letters and the clocks. */
export const STREAMS: readonly StreamDefinition[] = [
  ...SERVICES.flatMap((owner) =>
    Object.entries(MANIFESTS[owner].streams).map(([name, things]) => states(name, owner, things)),
  ),
  {
    name: DEAD_LETTERS,
    owner: 'all',
    subjects: ['cord.dead.v1.>'],
    maxAgeMs: 30 * DAY_MS,
    maxPerSubject: -1,
    maxBytes: 1024 ** 3,
    duplicateWindowMs: 120_000,
  },
  {
    name: CLOCKS,
    owner: 'all',
    subjects: ['cord.clock.v1.>'],
    maxAgeMs: 0,
    maxPerSubject: 1,
    maxBytes: 1024 ** 2,
    duplicateWindowMs: 120_000,
  },
];

/** Returns the stream of a thing's events; undefined when no stream holds them. */
export function streamHolding(thing: string): StreamDefinition | undefined {
  return STREAMS.find((stream) => stream.subjects.includes(subjectsOf(thing)));
}

/** Returns the stream of a thing's events. @throws Error when no stream holds them */
export function streamOf(thing: string): StreamDefinition {
  const found = streamHolding(thing);
  if (!found) throw new Error(`no stream holds events of ${thing}`);
  return found;
}

/** Returns the kinds that a service reads in one way (`READS`). */
function readBy(service: ServiceName, way: HowRead): Reading[] {
  return Object.values<Reading>(READS[service]).filter(({ how }) => how.includes(way));
}

const streamsOf = (kinds: readonly Reading[]) => [...new Set(kinds.map(({ thing }) => streamOf(thing).name))].sort();

/** Streams that a service reads through the durable consumer of its name. */
export const consumedBy = (service: ServiceName): string[] => streamsOf(readBy(service, 'consumed'));

/** Streams that each replica of a service reads as a whole, by an ordered consumer of its own (services/README.md#events). */
export const readWholeBy = (service: ServiceName): string[] => streamsOf(readBy(service, 'whole'));

/** Kinds of which a service looks up one user's last event. */
export const lookedUpBy = (service: ServiceName): Reading[] => readBy(service, 'looked-up');

/** Maximum number of replicas of one service; each has a number below this. */
export const REPLICAS_MAX = 32;

/** Names of the two consumers of a replica that reads a whole stream: it creates one while the other still runs. */
export function readerNames(service: ServiceName, replica: number): readonly [string, string] {
  return [`${service}-${replica}-0`, `${service}-${replica}-1`];
}

/** Number of handler failures after which a message becomes a dead letter. */
export const MAX_FAILURES = 8;

/** Streams whose fill a service reports: its own, and for the service that tends the dead letters also the shared ones. */
export function measuredStreams(service: ServiceName): string[] {
  const { tendsDeadLetters } = MANIFESTS[service];
  const measured = STREAMS.filter(({ owner }) => owner === service || (owner === 'all' && tendsDeadLetters));
  return measured.map(({ name }) => name);
}
