import { SERVICES, type ServiceName } from '../endpoint.js';
import { MANIFESTS } from '../manifests/index.js';

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

/**
 * Bytes that one user's event of a kind takes in its stream at the most: payload, subject, headers and the record around
 * them (a test makes the largest of each). A stream keeps one message a subject, so that its limit is the sum of its kinds
 * x users: balance 1,728 x 500,000 = 0.86 GB; node 3 x 2,048: 3.07 GB; user 2 x 1,024 + 1,088 + 640, session 960, anticheat 832 and support 832, for each user one request that was
 * answered: 3.2 GB;
 * task 832 and checkin 768: 0.8 GB; referral 896, and 768 for each friend's joining, of which a user has one at the most
 * (one referrer for life): 0.83 GB; badge 704 and 896, for each user one refund, and claim 896: 1.25 GB. 10.0 GB in all, with dead letters 11.1 GB.
 */
export const EVENT_BYTES: Readonly<Record<string, number>> = {
  'balance.changed': 1_728,
  'node.started': 2_048,
  'node.paused': 2_048,
  'node.stopped': 2_048,
  'user.registered': 1_024,
  'user.updated': 1_024,
  'user.settings': 1_088,
  'user.erased': 640,
  'session.opened': 960,
  'anticheat.assessed': 832,
  'support.answered': 832,
  'task.completed': 832,
  'checkin.performed': 768,
  'referral.linked': 896,
  'referral.joined': 768,
  'badge.purchased': 704,
  'badge.refunded': 896,
  'claim.made': 896,
};

/** Things whose events concern all users, under NOBODY: one message per kind. */
export const THINGS_OF_ALL: readonly string[] = ['epoch', 'ranks'];

/** Room for those in a stream that holds nothing else. */
const OF_ALL_BYTES = 4 * 1024 ** 2;

/** Subjects of a thing's events, of every version: v2 of a subject stands beside v1, and a release that does not know it passes over it. */
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

/** A state stream: one message a subject, no age: it grows with users and never with time. The one epoch table takes next to nothing. */
function states(name: string, owner: ServiceName, things: readonly string[]): StreamDefinition {
  const kinds = Object.entries(EVENT_BYTES).filter(([kind]) => things.includes(kind.slice(0, kind.indexOf('.'))));
  return {
    name,
    owner,
    subjects: things.map(subjectsOf),
    maxAgeMs: 0,
    maxPerSubject: 1,
    maxBytes: STREAM_USERS * kinds.reduce((sum, [, bytes]) => sum + bytes, 0) || OF_ALL_BYTES,
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

/** Replicas of one service; each has a number below this. */
export const REPLICAS_MAX = 32;

/** The two consumers of one replica that reads a stream whole: it makes one anew while the other still goes. */
export function readerNames(service: ServiceName, replica: number): readonly [string, string] {
  return [`${service}-${replica}-0`, `${service}-${replica}-1`];
}

/** Deliveries after which a message becomes a dead letter. */
export const MAX_DELIVERIES = 8;

/** Streams whose fill a service reports: its own, and of the service that tends the dead letters also those that belong to all. */
export function measuredStreams(service: ServiceName): string[] {
  const { tendsDeadLetters } = MANIFESTS[service];
  const measured = STREAMS.filter(({ owner }) => owner === service || (owner === 'all' && tendsDeadLetters));
  return measured.map(({ name }) => name);
}
