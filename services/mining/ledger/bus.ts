import { balanceChanged } from '@cord/contracts/events/balance';
import { type EventKind, subjectOf } from '@cord/contracts/events/envelope';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { microToString } from '@cord/contracts/rules/money';
import type { Cause } from '@cord/kit/cause';
import type { Nats } from '@cord/kit/nats';
import { buryEvent, type Undertaking } from '@cord/kit/nats/dead-letters';
import { UnpublishableEvent } from '@cord/kit/nats/publishable';
import type { OutboxItem } from '@cord/kit/outbox';
import type { Account, OutboxItem as LedgerItem } from './account.js';
import { accountState } from './account-state.js';
import type { LedgerBus } from './ports.js';
import type { Moment } from './settle.js';

const NODE_KINDS = { started: nodeStarted, paused: nodePaused, stopped: nodeStopped } as const;

export type NodeItem = Extract<LedgerItem, { kind: 'node' }>;

/**
 * The ledger's events over JetStream. One that no stream will ever take becomes a dead letter and counts as published:
 * it must not keep its account's outbox, and with it the account's credits, for ever.
 */
export function createLedgerBus(nats: Undertaking & Pick<Nats, 'publish'>, moment: () => Moment): LedgerBus {
  const publish = async ({ subject, payload }: OutboxItem, cause: Cause | undefined): Promise<void> => {
    const msgId = String(payload.id);
    try {
      await nats.publish(subject, payload, msgId, cause);
    } catch (err) {
      if (!(err instanceof UnpublishableEvent)) throw err;
      await buryEvent(nats, { subject, payload, msgId, err, cause });
    }
  };
  return {
    publishBalance: (account) => publish(balanceEvent(account, moment()), account.announceCause),
    publishNode: (item) => publish(nodeEvent(item), item.cause),
  };
}

/** balance.changed of an account. */
export function balanceEvent(account: Account, at: Moment): OutboxItem {
  const { userId, seq } = account;
  return event(balanceChanged, `balance:${userId}:${seq}`, seq, userId, at.nowMs, accountState(account, at));
}

/** node.started, node.paused or node.stopped. */
export function nodeEvent({ key, seq, verb, atMs, session, addresses = [], day }: Omit<NodeItem, 'kind'>): OutboxItem {
  return event(NODE_KINDS[verb], key, seq, session.userId, atMs, {
    sessionId: session.id,
    startedAt: session.startedAtMs,
    creditedUntil: session.creditedUntilMs,
    leaseUntil: session.leaseUntilMs,
    earnings: microToString(session.earnedMicro),
    sessionMs: session.sessionMs,
    ranMs: session.ranMs,
    ...(session.addressHash === null ? {} : { addressHash: session.addressHash }),
    addresses: addresses.map(({ hash, ms }) => ({ hash, ms })),
    ...(day ? { day } : {}),
  });
}

function event(
  kind: EventKind,
  id: string,
  seq: bigint,
  userId: string,
  at: number,
  state: Record<string, unknown>,
): OutboxItem {
  return {
    key: id,
    seq,
    subject: subjectOf(kind, userId),
    payload: { v: 1, id, at, userId, seq: microToString(seq), ...state },
  };
}
