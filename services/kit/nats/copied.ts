import type { JsMsg } from '@nats-io/jetstream';

/**
 * Whether JetStream itself put this message where it stands: an answer to a direct get, or a republished one. Owners
 * publish events without this header; a message with it is another's stored message that is to pass for an event.
 */
export function isCopy(msg: Pick<JsMsg, 'headers'>): boolean {
  return msg.headers?.has('Nats-Stream') ?? false;
}
