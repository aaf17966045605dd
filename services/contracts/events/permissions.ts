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
  /** May answer a request on the reply subject that came with it, and on no other. */
  allowResponses: true;
}

/**
 * The table of subjects of a service's NATS user, made from its manifest and the declared requests (services/README.md#events): own events, own
 * requests, own consumers, nothing else.
 */
export function permissionsFor(service: ServiceName): Permissions {
  const manifest = MANIFESTS[service];
  const { listensTo = [] } = manifest;
  const [consumed, readWhole] = [consumedBy(service), readWholeBy(service)];
  const ownStreams = STREAMS.filter((stream) => stream.owner === service);
  const ownEvents = ownStreams.flatMap((stream) => stream.subjects);
  // An erased user's events are looked for and taken out of the owner's stream (services/README.md#erasure), message by message.
  // The owner also looks at the last message of a subject, so that no older state follows a newer one.
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

/** The gateway announces a release, requests which modules are switched off, and executes the acts of operators that auth passes on. */
export function gatewayPermissions(): Permissions {
  return {
    publish: [liveSubject('release', '*'), ...requestsOf(GATEWAY_USER)],
    subscribe: [`_INBOX_${GATEWAY_USER}.>`, RIGHTS_CHANGED, ...answersOf(GATEWAY_USER)],
    allowResponses: true,
  };
}

/** What reading one user's last state of a kind takes. */
function stateSubject(kind: SubjectKind): string {
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

/** The only user of auth's own account. */
export const RIGHTS_USER = 'rights';

/** Auth in its own account: publishes changes of rights and answers requests for them, and nothing else. */
export function rightsPermissions(): Permissions {
  return {
    publish: [RIGHTS_CHANGED],
    subscribe: [...answersOf(RIGHTS_USER), `_INBOX_${RIGHTS_USER}.>`],
    allowResponses: true,
  };
}

/**
 * Which users may send this request. Mining and the others answer only into the inbox of one of them: JetStream's
 * own answers can be made to land on a request's subject, but bring no such address.
 * @param subject as sent, `cord.rpc.v1.<name>`
 */
export function requestersOf(subject: string): readonly NatsUser[] {
  const general = generalSubject(subject);
  const sent = BY_SUBJECT.get(general);
  const isWhole = subject === general || subject === fallbackSubject(general);
  return sent && (isWhole || sent.byPartition) ? sent.from : [];
}

const BY_SUBJECT: ReadonlyMap<string, DeclaredRpc> = new Map(RPCS.map((each) => [each.subject, each]));

/** The subjects of the requests that a user may send. */
function requestsOf(user: NatsUser): string[] {
  return RPCS.filter(({ from }) => from.includes(user)).flatMap((each) => withParts(each.subject, each));
}

/** The subjects of the requests that a user answers. */
function answersOf(user: NatsUser): string[] {
  const answered = RPCS.filter(({ by }) => by === user);
  return [...new Set(answered.flatMap((each) => withParts(each.servedAt ?? each.subject, each)))];
}

/** A request's subject, and the ones below it: for replicas that yield, and for parts of the users. */
function withParts(subject: string, { byPartition }: DeclaredRpc): string[] {
  if (byPartition) return [subject, `${subject}.*`];
  return hasFallback(subject) ? [subject, fallbackSubject(subject)] : [subject];
}

/** Where the replicas of a service announce themselves to each other, if they share its users among them. */
function replicaSubjects(service: ServiceName): string[] {
  return MANIFESTS[service].sharesUsers ? [replicaSubject(service)] : [];
}
