import type { EventKind } from '@cord/contracts/events/envelope';
import type { JsMsg } from '@nats-io/jetstream';

/**
 * Whether a document can have a version by a time: none changes once per millisecond since 1970. A higher version was never its owner's.
 * Whoever held the owner's NATS password for a while can therefore not exhaust the versions that readers accept (republish.ts).
 * @param atMs ms since epoch; for a message its storage time
 */
export const isPossibleVersion = (seq: bigint, atMs: number): boolean => seq <= BigInt(Math.floor(atMs));

/** Parses the event of a message. @throws Error for a payload that does not match its schema, or an impossible version */
export function readEvent(kind: EventKind, msg: Pick<JsMsg, 'json' | 'info'>): unknown {
  const event = kind.schema.parse(msg.json()) as { seq: string };
  if (!isPossibleVersion(BigInt(event.seq), msg.info.timestampNanos / 1e6))
    throw new RangeError(`version ${event.seq} is impossibly high`);
  return event;
}
