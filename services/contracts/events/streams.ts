import type { ServiceName } from '../endpoint.js';

const DAY_MS = 86_400_000;

/** A JetStream stream. All discard new: a full stream makes the outbox wait and never drops (design.md, Events). */
export interface StreamDefinition {
  name: string;
  /** The only service that may publish here; `all` for dead letters. */
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

const GIB = 1024 ** 3;
const events = (name: string, owner: ServiceName, things: string[]): StreamDefinition => ({
  name,
  owner,
  subjects: things.map((thing) => `cord.${thing}.v1.>`),
  maxAgeMs: 7 * DAY_MS,
  maxPerSubject: -1,
  maxBytes: GIB,
  duplicateWindowMs: 120_000,
});

/** Every stream and its limits; the one place. */
export const STREAMS: readonly StreamDefinition[] = [
  { ...events('CORD_BALANCE', 'mining', ['balance']), maxAgeMs: 0, maxPerSubject: 1, maxBytes: 2 * GIB },
  events('CORD_NODES', 'mining', ['node']),
  events('CORD_USERS', 'auth', ['user', 'anticheat']),
  events('CORD_TASKS', 'tasks', ['task', 'checkin']),
  events('CORD_REFERRALS', 'referrals', ['referral']),
  events('CORD_REWARDS', 'rewards', ['badge', 'claim', 'epoch']),
  { ...events('CORD_DEAD', 'auth', ['dead']), owner: 'all', maxAgeMs: 30 * DAY_MS },
];

/** Stream of a thing's events. @throws Error for a thing that no stream holds. */
export function streamOf(thing: string): StreamDefinition {
  const found = STREAMS.find((stream) => stream.subjects.includes(`cord.${thing}.v1.>`));
  if (!found) throw new Error(`no stream holds events of ${thing}`);
  return found;
}

/** Which streams a service reads through a durable consumer that carries the service's name. */
export const CONSUMERS: Readonly<Record<ServiceName, readonly string[]>> = {
  auth: ['CORD_BALANCE', 'CORD_NODES', 'CORD_TASKS', 'CORD_REFERRALS', 'CORD_REWARDS'],
  mining: ['CORD_USERS', 'CORD_REWARDS'],
  tasks: ['CORD_BALANCE', 'CORD_NODES', 'CORD_USERS', 'CORD_REFERRALS'],
  referrals: ['CORD_BALANCE', 'CORD_NODES', 'CORD_USERS'],
  rewards: ['CORD_USERS'],
  leaderboard: ['CORD_USERS', 'CORD_REWARDS'],
};

/** Streams that each replica reads whole, by an ordered consumer of its own (design.md, Events). */
export const REPLICA_READS: Readonly<Record<ServiceName, readonly string[]>> = {
  auth: [],
  mining: ['CORD_REWARDS'],
  tasks: [],
  referrals: [],
  rewards: [],
  leaderboard: ['CORD_BALANCE', 'CORD_USERS', 'CORD_REWARDS'],
};

/** Replicas of one service; each has a number below this. */
export const REPLICAS_MAX = 32;

/** The two consumers of one replica that reads a stream whole: it makes one anew while the other still goes. */
export function readerNames(service: ServiceName, replica: number): readonly [string, string] {
  return [`${service}-${replica}-0`, `${service}-${replica}-1`];
}

/** Deliveries after which a message becomes a dead letter. */
export const MAX_DELIVERIES = 8;

/** Streams whose fill a service tells: its own; auth those that belong to all. */
export function measuredStreams(service: ServiceName): string[] {
  const told = STREAMS.filter(({ owner }) => owner === service || (owner === 'all' && service === 'auth'));
  return told.map(({ name }) => name);
}
