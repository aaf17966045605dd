import { SERVICES, type ServiceName } from '../endpoint.js';
import { liveSubjectsOf, liveSubjectsToldBy } from '../live/subjects.js';
import { AUDITED_SERVICES } from '../rpc/audit.js';
import { HOLDING_SERVICES } from '../rpc/export.js';
import { CREDIT_TABLE } from '../rpc/ledger.js';
import { PROMISING_SERVICES } from '../rpc/parked.js';
import { SETUP_USER } from '../rpc/republish.js';
import { RIGHTS_CHANGED, rightsRpc } from '../rpc/rights.js';
import { generalSubject } from '../rules/affinity.js';
import { balanceChanged } from './balance.js';
import { type EventKind, subjectOf } from './envelope.js';
import { presenceSubject } from './presence.js';
import { replicaSubject } from './replicas.js';
import { CONSUMERS, measuredStreams, REPLICA_READS, REPLICAS_MAX, readerNames, STREAMS, streamOf } from './streams.js';

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
    ...HOLDING_SERVICES.map((s) => `export.${s}`),
    ...AUDITED_SERVICES.map((s) => `audit.${s}`),
    ...PROMISING_SERVICES.flatMap((s) => [`parked.${s}`, `parked.retry.${s}`]),
  ],
  mining: [],
  tasks: ['ledger.account'],
  referrals: ['ledger.account', 'ledger.earnings', 'ledger.accrue.referrals'],
  rewards: ['ledger.account'],
  leaderboard: [],
  notices: [],
};

/** Requests that are also asked for one part of the users, below the general subject (design.md, Events: one writer a user). */
const BY_PARTITION = /^ledger\.(credit|accrue)\./;

/** Requests that a service answers, beside its export. */
const ANSWERS: Readonly<Record<ServiceName, readonly string[]>> = {
  auth: [],
  mining: ['ledger.open.auth', 'ledger.account', 'ledger.earnings', 'ledger.credit.*', 'ledger.accrue.referrals'],
  tasks: ['audit.tasks'],
  referrals: ['referral.process.auth', 'audit.referrals'],
  rewards: ['audit.rewards'],
  leaderboard: ['rank.get'],
  notices: [],
};

/** States of others that a service reads where they stand, one user at a time (design.md, Events). */
const STATE_READS: Readonly<Partial<Record<ServiceName, readonly EventKind[]>>> = {
  tasks: [balanceChanged],
  referrals: [balanceChanged],
};

/**
 * The table of subjects of a service's NATS user (design.md, Events): own events, own requests, own consumers, nothing else.
 * Only the caller named in it may publish its credit subject.
 */
export function permissionsFor(service: ServiceName): Permissions {
  if (service === 'notices') return noticesPermissions();
  const inbox = `_INBOX_${service}.>`;
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
      ...(STATE_READS[service] ?? []).map(stateSubject),
      ...measuredStreams(service).map((name) => `$JS.API.STREAM.INFO.${name}`),
      `cord.dead.v1.${service}.>`,
      presenceSubject(service),
      ...liveSubjectsToldBy(service),
      ...rpcNames(service).flatMap(withPartitions).map(rpc),
      ...replicaSubjects(service),
      '$JS.API.INFO',
      ...CONSUMERS[service].flatMap((stream) => durableSubjects(stream, service)),
      ...REPLICA_READS[service].flatMap((stream) => readerSubjects(stream, service)),
      rightsRpc.subject,
    ],
    subscribe: [
      inbox,
      RIGHTS_CHANGED,
      ...(service === 'leaderboard' ? [presenceSubject('*')] : []),
      ...replicaSubjects(service),
      ...[...ANSWERS[service], `export.${service}`, ...parkedOf(service)].flatMap(withPartitions).map(rpc),
      ...(ownStreams.length > 0 ? [rpc(`republish.${service}`)] : []),
    ],
    allowResponses: true,
  };
}

/** Notices hears what is told live, and may say nothing that anybody in the house would believe. */
function noticesPermissions(): Permissions {
  return {
    publish: [presenceSubject('notices'), rightsRpc.subject],
    subscribe: ['_INBOX_notices.>', RIGHTS_CHANGED, liveSubjectsOf('*')],
    allowResponses: true,
  };
}

/** The gateway's NATS user. */
export const GATEWAY_USER = 'gateway';

/** The gateway tells that a release is out, and hears nothing. */
export function gatewayPermissions(): Permissions {
  return {
    publish: liveSubjectsToldBy(GATEWAY_USER),
    subscribe: [`_INBOX_${GATEWAY_USER}.>`],
    allowResponses: true,
  };
}

/** Requests about the credits that the ledger has refused for good. */
function parkedOf(service: ServiceName): string[] {
  const promises = PROMISING_SERVICES.some((name) => name === service);
  return promises ? [`parked.${service}`, `parked.retry.${service}`] : [];
}

/** What reading one user's last state of a kind takes. */
function stateSubject(kind: EventKind): string {
  return `$JS.API.DIRECT.GET.${streamOf(kind.thing).name}.${subjectOf(kind, '*')}`;
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

/**
 * What reading a stream whole takes, for every replica there may be: it makes and drops consumers of its own two names
 * and of no other, so that no durable of anybody's can be changed or deleted.
 */
function readerSubjects(stream: string, service: ServiceName): string[] {
  const names = Array.from({ length: REPLICAS_MAX }, (_, replica) => readerNames(service, replica)).flat();
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    ...names.flatMap((name) => [
      `$JS.API.CONSUMER.CREATE.${stream}.${name}`,
      `$JS.API.CONSUMER.DELETE.${stream}.${name}`,
      `$JS.API.CONSUMER.INFO.${stream}.${name}`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${name}`,
    ]),
  ];
}

/** The account of all services: streams, consumers, requests. */
export const HOUSE_ACCOUNT = 'CORD';
/** Auth's own account, and its only user. */
export const RIGHTS_ACCOUNT = 'AUTH';
export const RIGHTS_USER = 'rights';

/** Auth in its own account: tells of rights and answers who asks for them, and nothing else. */
export function rightsPermissions(): Permissions {
  return {
    publish: [RIGHTS_CHANGED],
    subscribe: [rightsRpc.subject, `_INBOX_${RIGHTS_USER}.>`],
    allowResponses: true,
  };
}

/** The two subjects that auth's account gives to the house: one to hear, one to ask. JetStream does not cross accounts. */
export const RIGHTS_EXPORTS = { stream: RIGHTS_CHANGED, service: rightsRpc.subject } as const;

/**
 * Which users may ask this request: services, or the one that sets up streams. Mining and the others answer only into the inbox of one of them: JetStream's
 * own answers can be made to land on a request's subject, but bring no such address (design.md, Events and trust).
 * @param subject as sent, `cord.rpc.v1.<name>`
 */
export function askersOf(subject: string): string[] {
  if (subject.startsWith(rpc('republish.'))) return [SETUP_USER];
  const general = generalSubject(subject);
  if (general !== subject && !BY_PARTITION.test(general.slice(rpc('').length))) return [];
  return SERVICES.filter((service) => rpcNames(service).some((name) => general === rpc(name)));
}

const rpc = (name: string): string => `cord.rpc.v1.${name}`;

/** A request's subject, and the ones below it for parts of the users. */
function withPartitions(name: string): string[] {
  return BY_PARTITION.test(name) ? [name, `${name}.*`] : [name];
}

/** Where the replicas of a service hear of each other, if they share its users among them. */
function replicaSubjects(service: ServiceName): string[] {
  return service === 'mining' ? [replicaSubject(service)] : [];
}

function rpcNames(service: ServiceName): string[] {
  return [...ASKS[service], ...(service in CREDIT_TABLE ? [`ledger.credit.${service}`] : [])];
}
