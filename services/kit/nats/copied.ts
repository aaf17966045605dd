import type { JsMsg } from '@nats-io/jetstream';

/**
 * Whether JetStream itself put this message on its subject: the response to a direct get, or a republished one. Owners
 * publish events without this header, so a message with it is a stored message posing as an event.
 */
export function isCopy(msg: Pick<JsMsg, 'headers'>): boolean {
  return msg.headers?.has('Nats-Stream') ?? false;
}
