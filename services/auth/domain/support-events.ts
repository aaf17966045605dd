import { supportAnswered } from '@cord/contracts/events/support';
import { eventItem, type OutboxEvent } from '@cord/kit/outbox/items';

/** The author's assessment by the network check. */
export interface AnsweredNetwork {
  level: number;
  isFlagged: boolean;
  /** When an admin's clear restored the rate, ms since epoch; null without one. */
  wholeSinceMs: number | null;
}

/** A request for support, an appeal, or a refund (services/README.md#who-owns-what). */
export interface SupportDoc {
  _id: string;
  userId: string;
  kind: 'support' | 'appeal' | 'refund';
  subject: string;
  text: string;
  status: 'open' | 'answered' | 'closed';
  answer: string | null;
  /** Whether the author holds the badge. */
  priority: boolean;
  createdAtMs: number;
  answeredAtMs: number | null;
  /** The network check's result when an appeal was answered; absent for other kinds, and in answers of earlier releases. */
  network?: AnsweredNetwork;
  /** The admin who has taken it, and since when; absent otherwise. */
  takenBy?: string | null;
  takenAtMs?: number | null;
  /** Number of answers: the seq of its events. Absent before the first. */
  seq?: number;
  /** Events that are not published yet. */
  outbox?: OutboxEvent[];
  dirtyAt?: number;
}

/** Builds support.answered of a request; none before the first answer. */
export function supportAnsweredItems(request: SupportDoc): OutboxEvent[] {
  const { _id, userId, kind, answeredAtMs, network, seq = 0 } = request;
  if (answeredAtMs === null || answeredAtMs === undefined) return [];
  const origin = { userId, otherId: _id, seq, atMs: answeredAtMs, key: `support.answered:${_id}` };
  const state = {
    requestId: _id,
    kind,
    answeredAt: answeredAtMs,
    ...(network ? { network: publishedNetwork(network) } : {}),
  };
  return [eventItem(supportAnswered, origin, state)];
}

const publishedNetwork = ({ level, isFlagged, wholeSinceMs }: AnsweredNetwork) => ({
  level,
  isFlagged,
  wholeSince: wholeSinceMs,
});
