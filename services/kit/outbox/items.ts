import { type EventKind, kindName, subjectOf } from '@cord/contracts/events/envelope';
import { OUTBOX_ITEMS_MAX } from '../bounds.js';
import type { Caused } from '../cause.js';
import type { Credit } from '../ledger-client.js';
import { unavailable } from '../problem.js';
import type { Versioned } from '../versioned.js';

/** An event that its document has not published yet, with the request that it comes of. */
export interface OutboxEvent extends Caused {
  kind: 'event';
  /** Message id of the event and name of the slot: unique per stream, prefixed by the stream's thing. */
  key: string;
  /** Version of the document that wrote it; an overwritten slot has the same key and a higher seq. */
  seq: bigint | number;
  subject: string;
  /** The event, fit for JSON. */
  payload: Record<string, unknown>;
}

/** A credit as its caller has stored it before the ledger is called; repeated unchanged under its key, also with its cause. */
export interface OutboxCredit extends Caused, Credit {
  kind: 'credit';
}

export type OutboxItem = OutboxEvent | OutboxCredit;

/** A credit that the ledger has refused for good; it waits for an admin. */
export interface ParkedCredit extends OutboxCredit {
  /** Type of the refusal: `key-conflict`, `amount-not-allowed`. */
  refusal: string;
  message: string;
  /** ms since epoch. */
  parkedAtMs: number;
}

/** What a document has still to publish and to credit. */
export interface OutboxFields {
  outbox?: OutboxItem[];
  /** When the oldest item was written, ms since epoch: the sweep takes it five seconds later. There while `outbox` is not empty. */
  dirtyAt?: number;
  parked?: ParkedCredit[];
  /** ms since epoch; there while `parked` is not empty. */
  parkedAt?: number;
}

export interface OutboxDocument extends OutboxFields {
  _id: string;
}

/** A versioned document with an outbox. */
export interface WithOutbox extends Versioned, OutboxFields {}

export const isEvent = (item: OutboxItem): item is OutboxEvent => item.kind === 'event';
export const isCredit = (item: OutboxItem): item is OutboxCredit => item.kind === 'credit';

/** The document's version that an event describes, whose it is, and its slot in the outbox. */
export interface EventOrigin {
  userId: string;
  /** The user whom it describes, where its kind describes two. */
  otherId?: string;
  seq: bigint | number;
  atMs: number;
  /** Slot of the outbox: a newer event of the slot takes the place of one that has not gone out. Unique in the stream, whatever the subject. */
  key?: string;
}

/** An event of a document's outbox. */
export function eventItem(kind: EventKind, origin: EventOrigin, state: Record<string, unknown>): OutboxEvent {
  const { userId, seq, key = `${slotOf(kind)}:${userId}` } = origin;
  return { kind: 'event', key, seq, ...enveloped(kind, `${key}:${seq}`, origin, state) };
}

/** A state in the envelope of its event, with the subject that it goes to (services/README.md#events). */
export function enveloped(
  kind: EventKind,
  id: string,
  { userId, otherId, seq, atMs }: Omit<EventOrigin, 'key'>,
  state: Record<string, unknown>,
): Pick<OutboxEvent, 'subject' | 'payload'> {
  const payload = { v: 1, id, at: atMs, userId, seq: seq.toString(), ...state };
  return { subject: subjectOf(kind, userId, otherId), payload };
}

/** Message ids are unique in a stream, across the versions of a subject. */
function slotOf({ thing, verb, version = 1 }: EventKind): string {
  return version === 1 ? `${thing}.${verb}` : kindName({ thing, verb, version });
}

/**
 * Adds an item to an outbox, in memory; one of the same kind and key is overwritten.
 * @throws Problem 503 when the outbox holds OUTBOX_ITEMS_MAX other events: the same call is to be tried again
 */
export function addToOutbox<T extends OutboxItem>(outbox: readonly T[], item: T): T[] {
  const others = outbox.filter(({ kind, key }) => kind !== item.kind || key !== item.key);
  if (isEvent(item) && others.filter(isEvent).length >= OUTBOX_ITEMS_MAX)
    throw unavailable('outbox-full', 'Please try again in a moment.', 2);
  return [...others, item];
}

/** The document with one more item to deliver; written in the same compare-and-set as the change that it follows from. */
export function withItem<D extends OutboxFields>(doc: D, item: OutboxItem, nowMs: number): D {
  return { ...doc, outbox: addToOutbox(doc.outbox ?? [], item), dirtyAt: doc.dirtyAt ?? nowMs };
}

/** Whether a credit waits for the ledger. */
export function isPending({ outbox = [] }: OutboxFields, key: string): boolean {
  return outbox.some((item) => isCredit(item) && item.key === key);
}

/** The document without some of its items, pending or parked: erasure (services/README.md#erasure). */
export function withoutItems<D extends OutboxFields>(doc: D, goes: (item: OutboxItem) => boolean): D {
  const { outbox = [], dirtyAt, parked = [], parkedAt, ...rest } = doc;
  const [items, refused] = [outbox.filter((item) => !goes(item)), parked.filter((item) => !goes(item))];
  return {
    ...rest,
    ...(items.length > 0 ? { outbox: items, ...(dirtyAt === undefined ? {} : { dirtyAt }) } : {}),
    ...(refused.length > 0 ? { parked: refused, ...(parkedAt === undefined ? {} : { parkedAt }) } : {}),
  } as D;
}

/** The document with nothing to publish and nothing to credit. */
export function withoutOutbox<D extends OutboxFields>(doc: D): Omit<D, keyof OutboxFields> {
  return withoutItems(doc, () => true);
}
