import { supportAnswered } from '@cord/contracts/events/support';
import { eventItem, type OutboxEvent } from '@cord/kit/outbox/items';

/** The author's standing with the network check. */
export interface AnsweredNetwork {
  level: number;
  isFlagged: boolean;
  /** When an admin's clear made the rate whole again, ms since epoch; null where none did. */
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
  /** The author holds the badge. */
  priority: boolean;
  createdAtMs: number;
  answeredAtMs: number | null;
  /** How the network check stood when an appeal was answered; absent of other kinds, and in answers of releases before. */
  network?: AnsweredNetwork;
  /** The admin whose desk it is on, and since when; absent on none. */
  takenBy?: string | null;
  takenAtMs?: number | null;
  /** How often it was answered: the seq of its events. Absent before the first answer. */
  seq?: number;
  /** What of it was not published yet. */
  outbox?: OutboxEvent[];
  dirtyAt?: number;
}

/** support.answered of a request as it stands; none before the first answer. */
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
