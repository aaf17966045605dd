import type { Nats } from '../nats.js';
import { type DeadLetterWriter, deadLetterEvent } from './dead-letters.js';
import { UnpublishableEvent } from './publishable.js';

/** An event leaving its document's outbox. */
interface OutgoingEvent {
  subject: string;
  payload: Record<string, unknown>;
  /** Unique in the stream; the same id is the same event. */
  msgId: string;
}

/**
 * Publishes an event of an outbox. One that no stream will ever accept becomes a dead letter and counts as published, so that it
 * blocks neither the rest of its document nor the ledger's credits to its account.
 * @throws NATS's error when it could not be published now: the event must then stay
 */
export async function publishOrDeadLetter(
  nats: DeadLetterWriter & Pick<Nats, 'publish'>,
  event: OutgoingEvent,
): Promise<void> {
  const { subject, payload, msgId } = event;
  try {
    await nats.publish(subject, payload, msgId);
  } catch (err) {
    if (!(err instanceof UnpublishableEvent)) throw err;
    await deadLetterEvent(nats, { ...event, err });
  }
}
