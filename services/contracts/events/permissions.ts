import { SERVICES, type ServiceName } from '../endpoint.js';
import { AUDITED_SERVICES } from '../rpc/audit.js';
import { CREDIT_TABLE } from '../rpc/ledger.js';
import { PROMISING_SERVICES } from '../rpc/parked.js';
import { presenceSubject } from './presence.js';
import { BUCKETS, CONSUMERS, REPLICA_READS, STREAMS } from './streams.js';

/** Subjects that a NATS user may publish to and subscribe to. */
export interface Permissions {
  publish: string[];
  subscribe: string[];
  /** May answer a request on the reply subject that came with it, and on no other. */
  allowResponses: true;
}

/** Requests that a service sends, beside its own credit subject. */
const ASKS: Readonly<Record<ServiceName, readonly string[]>> = {
  auth: [
    'ledger.open.auth',
    'ledger.account',
    'rank.get',
    'referral.process.auth',
    ...SERVICES.map((s) => `export.${s}`),
    ...AUDITED_SERVICES.map((s) => `audit.${s}`),
    ...PROMISING_SERVICES.flatMap((s) => [`parked.${s}`, `parked.retry.${s}`]),
  ],
  mining: [],
  tasks: ['ledger.account'],
  referrals: ['ledger.account'],
  rewards: ['ledger.account'],
  leaderboard: ['ledger.page', 'ledger.account'],
};

/** Requests that a service answers, beside its export. */
const ANSWERS: Readonly<Record<ServiceName, readonly string[]>> = {
  auth: [],
  mining: ['ledger.open.auth', 'ledger.account', 'ledger.page', 'ledger.credit.*'],
  tasks: ['audit.tasks'],
  referrals: ['referral.process.auth', 'audit.referrals'],
  rewards: ['audit.rewards'],
  leaderboard: ['rank.get'],
};

/**
 * The table of subjects of a service's NATS user (design.md, Events): own events, own requests, own consumers, nothing else.
 * Only the caller named in it may publish its credit subject.
 */
export function permissionsFor(service: ServiceName): Permissions {
  const inbox = `_INBOX_${service}.>`;
  const rpc = (name: string) => `cord.rpc.v1.${name}`;
  const credits = service in CREDIT_TABLE ? [`ledger.credit.${service}`] : [];
  const ownStreams = STREAMS.filter((stream) => stream.owner === service);
  const ownEvents = ownStreams.flatMap((stream) => stream.subjects);
  // An erased user's events are taken out of the owner's stream (money.md, Erasure).
  const purges = ownStreams.map((stream) => `$JS.API.STREAM.PURGE.${stream.name}`);
  if (service === 'auth') purges.push('$JS.API.STREAM.PURGE.CORD_DEAD');
  // Where the last message is all that stays, its owner looks at it so that no older state follows a newer one.
  const looks = ownStreams
    .filter((stream) => stream.maxPerSubject === 1)
    .map(({ name }) => `$JS.API.STREAM.MSG.GET.${name}`);
  return {
    publish: [
      ...ownEvents,
      ...purges,
      ...looks,
      `cord.dead.v1.${service}.>`,
      presenceSubject(service),
      ...[...ASKS[service], ...credits].map(rpc),
      '$JS.API.INFO',
      ...CONSUMERS[service].flatMap((stream) => durableSubjects(stream, service)),
      ...REPLICA_READS[service].flatMap(orderedSubjects),
      ...Object.values(BUCKETS).flatMap((bucket) => watchSubjects(bucket)),
      ...(service === 'auth' ? Object.values(BUCKETS).map((bucket) => `$KV.${bucket}.>`) : []),
    ],
    subscribe: [
      inbox,
      ...(service === 'leaderboard' ? [presenceSubject('*')] : []),
      ...[...ANSWERS[service], `export.${service}`, ...parkedOf(service)].map(rpc),
    ],
    allowResponses: true,
  };
}

/** Requests about the credits that the ledger has refused for good. */
function parkedOf(service: ServiceName): string[] {
  const promises = PROMISING_SERVICES.some((name) => name === service);
  return promises ? [`parked.${service}`, `parked.retry.${service}`] : [];
}

/** What reading one durable consumer takes. */
function durableSubjects(stream: string, durable: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/** What an ordered consumer of one replica takes: it makes and drops its own ephemeral consumers. */
function orderedSubjects(stream: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
  ];
}

/** What watching a key-value bucket takes. */
function watchSubjects(bucket: string): string[] {
  const stream = `KV_${bucket}`;
  return [
    ...orderedSubjects(stream),
    `$JS.API.CONSUMER.CREATE.${stream}`,
    `$JS.API.DIRECT.GET.${stream}.>`,
    `$JS.API.STREAM.MSG.GET.${stream}`,
    `$JS.FC.${stream}.>`,
  ];
}
