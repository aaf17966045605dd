import { SERVICES, type ServiceName } from '../endpoint.js';
import { MANIFESTS } from '../manifests/index.js';
import { OF_ALL } from './envelope.js';
import { EVENTS } from './index.js';
import { type HowRead, READS, type Reading } from './reads.js';

const DAY_MS = 86_400_000;

/** A JetStream stream. All discard new: a full stream makes the outbox wait and never drops (services/README.md#events). */
export interface StreamDefinition {
  name: string;
  /** The only service that may publish here; `all` where each may under its own name. */
  owner: ServiceName | 'all';
  subjects: string[];
  /** 0 keeps without age limit. */
  maxAgeMs: number;
  /** 1 keeps only the last message of each subject; -1 keeps all. */
  maxPerSubject: number;
  maxBytes: number;
  /** How long a message id is remembered, ms. */
  duplicateWindowMs: number;
}

/** Users that the limits are made for. Fill is a metric (cord_stream_bytes): raise this well before a stream is full. */
export const STREAM_USERS = 500_000;

/** Things whose events concern all users, under NOBODY: one message per kind. */
export const THINGS_OF_ALL: readonly string[] = EVENTS.filter(({ bytes }) => bytes === OF_ALL).map(
  ({ thing }) => thing,
);

/** Room for those in a stream that holds nothing else. */
const OF_ALL_BYTES = 4 * 1024 ** 2;

/** Subjects of a thing's events, of every version: v2 of a subject stands beside v1, and a release without it skips it. */
function subjectsOf(thing: string): string {
  return `cord.${thing}.*.>`;
}

/** The stream of what every service gives up. */
export const DEAD_LETTERS = 'CORD_DEAD';

/** The stream by which processes read NATS's time: each publishes a message of its own and reads when it was stored. */
export const CLOCKS = 'CORD_CLOCKS';

/** Subject of a process's own messages there. */
export function clockSubject(service: string, replica: number): string {
  return `cord.clock.v1.${service}.${replica}`;
}

/**
 * A state stream: one message a subject, no age: it grows with users and never with time, so that its limit is the sum of its
 * kinds x users. 10.0 GB in all, with dead letters 11.1 GB. The one epoch table takes next to nothing.
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

/** Every stream and its limits: those that the manifests name, the dead letters of all, and the clocks of all. */
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

/** Stream of a thing's events; undefined for a thing that no stream holds. */
export function streamHolding(thing: string): StreamDefinition | undefined {
  return STREAMS.find((stream) => stream.subjects.includes(subjectsOf(thing)));
}

/** Stream of a thing's events. @throws Error for a thing that no stream holds. */
export function streamOf(thing: string): StreamDefinition {
  const found = streamHolding(thing);
  if (!found) throw new Error(`no stream holds events of ${thing}`);
  return found;
}

/** What a service reads of others' events in one way (`READS`). */
function readBy(service: ServiceName, way: HowRead): Reading[] {
  return Object.values<Reading>(READS[service]).filter(({ how }) => how.includes(way));
}

const streamsOf = (kinds: readonly Reading[]) => [...new Set(kinds.map(({ thing }) => streamOf(thing).name))].sort();

/** Streams that a service reads through a durable consumer that carries its name. */
export const consumedBy = (service: ServiceName): string[] => streamsOf(readBy(service, 'consumed'));

/** Streams that each replica of a service reads whole, by an ordered consumer of its own (services/README.md#events). */
export const readWholeBy = (service: ServiceName): string[] => streamsOf(readBy(service, 'whole'));

/** Kinds of others' events of which a service looks up the last one, a user at a time. */
export const lookedUpBy = (service: ServiceName): Reading[] => readBy(service, 'looked-up');

/** Replicas of one service; each has a number below this. */
export const REPLICAS_MAX = 32;

/** The two consumers of one replica that reads a stream whole: it makes one anew while the other still goes. */
export function readerNames(service: ServiceName, replica: number): readonly [string, string] {
  return [`${service}-${replica}-0`, `${service}-${replica}-1`];
}

/** Failures of its handler after which a message becomes a dead letter. */
export const MAX_FAILURES = 8;

/** Streams whose fill a service reports: its own, and of the service that tends the dead letters also those that belong to all. */
export function measuredStreams(service: ServiceName): string[] {
  const { tendsDeadLetters } = MANIFESTS[service];
  const measured = STREAMS.filter(({ owner }) => owner === service || (owner === 'all' && tendsDeadLetters));
  return measured.map(({ name }) => name);
}
