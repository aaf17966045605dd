import type { ServiceName } from '../endpoint.js';
import { liveSubject, liveSubjectsOf } from '../live/subjects.js';
import { MANIFESTS } from '../manifests/index.js';
import { RPCS } from '../rpc/index.js';
import { RIGHTS_CHANGED } from '../rpc/rights.js';
import type { DeclaredRpc, NatsUser } from '../rpc/rpc.js';
import { fallbackSubject, generalSubject, hasFallback } from '../rules/affinity.js';
import { type SubjectKind, subjectOf } from './envelope.js';
import { presenceSubject } from './presence.js';
import { replicaSubject } from './replicas.js';
import {
  CLOCKS,
  consumedBy,
  DEAD_LETTERS,
  lookedUpBy,
  measuredStreams,
  REPLICAS_MAX,
  readerNames,
  readWholeBy,
  STREAMS,
  streamOf,
} from './streams.js';

/** Subjects that a NATS user may publish to and subscribe to. */
export interface Permissions {
  publish: string[];
  subscribe: string[];
  /** May respond on the reply subject of a request, and on no other. */
  allowResponses: true;
}

/**
 * Returns the NATS permissions of a service, made from its manifest and the declared requests (services/README.md#events): own events, own
 * requests, own consumers, nothing else.
 */
export function permissionsFor(service: ServiceName): Permissions {
  const manifest = MANIFESTS[service];
  const { listensTo = [] } = manifest;
  const [consumed, readWhole] = [consumedBy(service), readWholeBy(service)];
  const ownStreams = STREAMS.filter((stream) => stream.owner === service);
  const ownEvents = ownStreams.flatMap((stream) => stream.subjects);
  // The owner finds and deletes an erased user's events in its stream, message by message (services/README.md#erasure). It also
  // reads the last message of a subject, so that no older state follows a newer one.
  const purged = [...ownStreams.map(({ name }) => name), ...(manifest.tendsDeadLetters ? [DEAD_LETTERS] : [])];
  return {
    publish: [
      ...ownEvents,
      ...purged.flatMap((name) => [`$JS.API.STREAM.MSG.DELETE.${name}`, `$JS.API.STREAM.MSG.GET.${name}`]),
      ...lookedUpBy(service).map(stateSubject),
      ...[...measuredStreams(service), ...(manifest.looksAtStreams ? STREAMS.map(({ name }) => name) : [])].map(
        (name) => `$JS.API.STREAM.INFO.${name}`,
      ),
      ...(ownStreams.length + consumed.length + readWhole.length > 0
        ? [`cord.dead.v1.${service}.>`, '$JS.API.INFO']
        : []),
      `cord.clock.v1.${service}.*`,
      `$JS.API.STREAM.MSG.GET.${CLOCKS}`,
      presenceSubject(service),
      ...manifest.liveKinds.map((kind) => liveSubject(kind, '*')),
      ...requestsOf(service),
      ...replicaSubjects(service),
      ...consumed.flatMap((stream) => durableSubjects(stream, service)),
      ...readWhole.flatMap((stream) => readerSubjects(stream, service)),
    ],
    subscribe: [
      `_INBOX_${service}.>`,
      RIGHTS_CHANGED,
      ...(listensTo.includes('presence') ? [presenceSubject('*')] : []),
      ...(listensTo.includes('live') ? [liveSubjectsOf('*')] : []),
      ...replicaSubjects(service),
      ...answersOf(service),
    ],
    allowResponses: true,
  };
}

/** The gateway's NATS user. */
export const GATEWAY_USER = 'gateway';

/** The gateway announces releases, requests which modules are switched off, and executes operators' actions that auth forwards. */
export function gatewayPermissions(): Permissions {
  return {
    publish: [liveSubject('release', '*'), ...requestsOf(GATEWAY_USER)],
    subscribe: [`_INBOX_${GATEWAY_USER}.>`, RIGHTS_CHANGED, ...answersOf(GATEWAY_USER)],
    allowResponses: true,
  };
}

/** Subject for reading a user's last state of a kind. */
function stateSubject(kind: SubjectKind): string {
  return `$JS.API.DIRECT.GET.${streamOf(kind.thing).name}.${subjectOf(kind, '*')}`;
}

/** Subjects for reading one durable consumer. */
function durableSubjects(stream: string, durable: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/**
 * Subjects for reading a whole stream, for every possible replica. A reader creates and deletes consumers of its own
 * two names only, so it can change or delete nobody's durable.
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

/** The only user of auth's own account. */
export const RIGHTS_USER = 'rights';

/** Auth in its own account: publishes changes of rights and serves requests for them, nothing else. */
export function rightsPermissions(): Permissions {
  return {
    publish: [RIGHTS_CHANGED],
    subscribe: [...answersOf(RIGHTS_USER), `_INBOX_${RIGHTS_USER}.>`],
    allowResponses: true,
  };
}

/**
 * Returns the users who may send this request. A service responds only into the inbox of one of them: JetStream's
 * own responses can be directed to a request's subject, but carry no such address.
 * @param subject as sent, `cord.rpc.v1.<name>`
 */
export function requestersOf(subject: string): readonly NatsUser[] {
  const general = generalSubject(subject);
  const sent = BY_SUBJECT.get(general);
  const isWhole = subject === general || subject === fallbackSubject(general);
  return sent && (isWhole || sent.byPartition) ? sent.from : [];
}

const BY_SUBJECT: ReadonlyMap<string, DeclaredRpc> = new Map(RPCS.map((each) => [each.subject, each]));

/** Subjects of the requests that a user may send. */
function requestsOf(user: NatsUser): string[] {
  return RPCS.filter(({ from }) => from.includes(user)).flatMap((each) => withParts(each.subject, each));
}

/** Subjects of the requests that a user serves. */
function answersOf(user: NatsUser): string[] {
  const answered = RPCS.filter(({ by }) => by === user);
  return [...new Set(answered.flatMap((each) => withParts(each.servedAt ?? each.subject, each)))];
}

/** A request's subject and its variants: the fallback for replicas that yield, and the partitions of users. */
function withParts(subject: string, { byPartition }: DeclaredRpc): string[] {
  if (byPartition) return [subject, `${subject}.*`];
  return hasFallback(subject) ? [subject, fallbackSubject(subject)] : [subject];
}

/** Subjects on which a service's replicas announce themselves to each other, if they share its users. */
function replicaSubjects(service: ServiceName): string[] {
  return MANIFESTS[service].sharesUsers ? [replicaSubject(service)] : [];
}
