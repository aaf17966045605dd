import { balanceChanged } from '@cord/contracts/events/balance';
import type { EventKind } from '@cord/contracts/events/envelope';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { microToString } from '@cord/contracts/rules/money';
import { type Cause, runWithCause } from '@cord/kit/cause';
import type { Nats } from '@cord/kit/nats';
import type { DeadLetterWriter } from '@cord/kit/nats/dead-letters';
import { publishOrDeadLetter } from '@cord/kit/nats/publish-or-dead-letter';
import { type EventOrigin, enveloped, type OutboxEvent } from '@cord/kit/outbox/items';
import { purgeUserEvents } from '@cord/kit/purge';
import type { Account, OutboxItem as LedgerItem } from './account.js';
import { accountState } from './account-state.js';
import type { LedgerBus } from './ports.js';
import type { Moment } from './settle.js';

const NODE_KINDS = { started: nodeStarted, paused: nodePaused, stopped: nodeStopped } as const;

type Origin = Pick<EventOrigin, 'userId' | 'seq' | 'atMs'>;

type NodeItem = Extract<LedgerItem, { kind: 'node' }>;

/** Creates the ledger's event publisher over JetStream. */
export function createLedgerBus(
  nats: DeadLetterWriter & Pick<Nats, 'publish' | 'jsm'>,
  moment: () => Moment,
): LedgerBus {
  const publish = ({ subject, payload, key: msgId }: OutboxEvent, cause: Cause | undefined) =>
    runWithCause(cause, () => publishOrDeadLetter(nats, { subject, payload, msgId }));
  return {
    publishBalance: (account) => publish(balanceEvent(account, moment()), account.announceCause),
    publishNode: (item) => publish(nodeEvent(item), item.cause),
    withdraw: (userId) => purgeUserEvents(nats, [balanceChanged, ...Object.values(NODE_KINDS)], userId),
  };
}

/** Builds balance.changed of an account. */
export function balanceEvent(account: Account, at: Moment): OutboxEvent {
  const { userId, seq } = account;
  return event(balanceChanged, `balance:${userId}:${seq}`, { userId, seq, atMs: at.nowMs }, accountState(account, at));
}

/** Builds node.started, node.paused or node.stopped. */
export function nodeEvent({ key, seq, verb, atMs, session, addresses, day }: Omit<NodeItem, 'kind'>): OutboxEvent {
  const state = {
    sessionId: session.id,
    startedAt: session.startedAtMs,
    creditedUntil: session.creditedUntilMs,
    leaseUntil: session.leaseUntilMs,
    earnings: microToString(session.earnedMicro),
    sessionMs: session.sessionMs,
    ranMs: session.ranMs,
    ...(session.addressHash === null ? {} : { addressHash: session.addressHash }),
    addresses: addresses.map(({ hash, ms, fromRanMs }) => ({ hash, ms, fromRanMs })),
    day,
  };
  return event(NODE_KINDS[verb], key, { userId: session.userId, seq, atMs }, state);
}

/** The event ids are the ledger's own: one per session and verb for a node event, whatever its seq. */
function event(kind: EventKind, id: string, origin: Origin, state: Record<string, unknown>): OutboxEvent {
  return { kind: 'event', key: id, seq: origin.seq, ...enveloped(kind, id, origin, state) };
}
