import type { EventKind } from '@cord/contracts/events/envelope';
import type { JsMsg } from '@nats-io/jetstream';

/**
 * Whether a document can have a version by a time: none changes once a millisecond from 1970 on. What is above that was never its owner's; whoever has had
 * the owner's NATS password for a while so leaves it versions to rise to, which readers take (republish.ts).
 * @param atMs ms since epoch; of a message when the server has stored it
 */
export const isPossible = (seq: bigint, atMs: number): boolean => seq <= BigInt(Math.floor(atMs));

/** The event of a message. @throws Error for a payload that does not fit its schema, or a version that no document can have */
export function eventIn(kind: EventKind, msg: Pick<JsMsg, 'json' | 'info'>): unknown {
  const event = kind.schema.parse(msg.json()) as { seq: string };
  if (!isPossible(BigInt(event.seq), msg.info.timestampNanos / 1e6))
    throw new RangeError(`no document has version ${event.seq} yet`);
  return event;
}
