import { type EventKind, kindName, kindNameIn } from '@cord/contracts/events/envelope';
import { EVENTS } from '@cord/contracts/events/index';

/** An event that no stream will ever accept: unknown subject, invalid payload, too large. */
export class UnpublishableEvent extends Error {
  constructor(subject: string, why: string, cause?: unknown) {
    super(`${subject} cannot be published: ${why}`, cause === undefined ? undefined : { cause });
    this.name = 'UnpublishableEvent';
  }
}

const KINDS = new Map<string, EventKind>(EVENTS.map((kind) => [kindName(kind), kind]));

/**
 * Serialises an event.
 * @param bytesMax the server's maximum message size
 * @throws UnpublishableEvent for an unknown event, an invalid payload, or one too large
 */
export function eventText(subject: string, payload: unknown, bytesMax: number): string {
  const kind = KINDS.get(kindNameIn(subject));
  if (!kind) throw new UnpublishableEvent(subject, 'the contracts have no such event');
  const parsed = kind.schema.safeParse(payload);
  if (!parsed.success) throw new UnpublishableEvent(subject, parsed.error.message, parsed.error);
  const text = JSON.stringify(parsed.data);
  const bytes = Buffer.byteLength(text);
  if (bytes > bytesMax) throw new UnpublishableEvent(subject, `${bytes} bytes exceed the limit of ${bytesMax}`);
  return text;
}
