import { type EventKind, kindName, subjectOf } from '@cord/contracts/events/envelope';
import { addToOutbox, type OutboxItem } from './outbox.js';
import type { PromisedCredit, Promises } from './promised-credits.js';
import type { Versioned } from './versioned.js';

/** What a document owes: credits to the ledger, events to the bus. */
export interface Owing extends Versioned, Promises {
  outbox?: OutboxItem[];
  dirtyAt?: number;
}

/** Of which document's version an event tells, whose it is, and its slot in the outbox. */
export interface EventOrigin {
  userId: string;
  /** Of whom it tells, where its kind tells of two. */
  otherId?: string;
  seq: bigint | number;
  atMs: number;
  /** Slot of the outbox: a newer event of the slot takes the place of one that has not gone out. Unique in the stream, whatever the subject. */
  key?: string;
}

/** An event of a document's outbox. */
export function eventItem(kind: EventKind, origin: EventOrigin, state: Record<string, unknown>): OutboxItem {
  const { userId, seq, key = `${slotOf(kind)}:${userId}` } = origin;
  return { key, seq, ...enveloped(kind, `${key}:${seq}`, origin, state) };
}

/** A state in the envelope of its event, with the subject that it goes to (services/README.md#events). */
export function enveloped(
  kind: EventKind,
  id: string,
  { userId, otherId, seq, atMs }: Omit<EventOrigin, 'key'>,
  state: Record<string, unknown>,
): Pick<OutboxItem, 'subject' | 'payload'> {
  const payload = { v: 1, id, at: atMs, userId, seq: seq.toString(), ...state };
  return { subject: subjectOf(kind, userId, otherId), payload };
}

/** Message ids are unique in a stream, across the versions of a subject. */
function slotOf({ thing, verb, version = 1 }: EventKind): string {
  return version === 1 ? `${thing}.${verb}` : kindName({ thing, verb, version });
}

/** The document with an event to tell. */
export function withItem<D extends Pick<Owing, 'outbox' | 'dirtyAt'>>(doc: D, item: OutboxItem, nowMs: number): D {
  return { ...doc, outbox: addToOutbox(doc.outbox ?? [], item), dirtyAt: doc.dirtyAt ?? nowMs };
}

/** The document with a credit promised. */
export function withPromise<D extends Promises>(doc: D, credit: PromisedCredit, nowMs: number): D {
  return { ...doc, promised: [...(doc.promised ?? []), credit], promisedAt: doc.promisedAt ?? nowMs };
}
