import { supportAnswered } from '@cord/contracts/events/support';
import { eventItem, type OutboxEvent } from '@cord/kit/outbox/items';
import type { AnsweredNetwork, SupportDoc } from '../store/support.js';

/** support.answered of a request as it stands; none before the first answer. */
export function supportAnsweredItems(request: SupportDoc): OutboxEvent[] {
  const { _id, userId, kind, answeredAtMs, network, seq = 0 } = request;
  if (answeredAtMs === null || answeredAtMs === undefined) return [];
  const origin = { userId, otherId: _id, seq, atMs: answeredAtMs, key: `support.answered:${_id}` };
  const state = { requestId: _id, kind, answeredAt: answeredAtMs, ...(network ? { network: toldOf(network) } : {}) };
  return [eventItem(supportAnswered, origin, state)];
}

const toldOf = ({ level, isFlagged, wholeSinceMs }: AnsweredNetwork) => ({
  level,
  isFlagged,
  wholeSince: wholeSinceMs,
});
