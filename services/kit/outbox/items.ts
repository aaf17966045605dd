import { type EventKind, kindName, subjectOf } from '@cord/contracts/events/envelope';
import { OUTBOX_ITEMS_MAX } from '../bounds.js';
import type { Caused } from '../cause.js';
import type { Credit } from '../ledger-client.js';
import { unavailable } from '../problem.js';
import type { Versioned } from '../versioned.js';

/** An unpublished event of its document, with the request that caused it. */
export interface OutboxEvent extends Caused {
  kind: 'event';
  /** Message id prefix and name of the slot: unique per stream, prefixed with the stream's thing. */
  key: string;
  /** Version of the document that wrote it; overwriting a slot keeps the key and raises seq. */
  seq: bigint | number;
  subject: string;
  /** The event as plain JSON. */
  payload: Record<string, unknown>;
}

/** A credit, stored before the ledger is called; retried unchanged under its key, with its cause. */
export interface OutboxCredit extends Caused, Credit {
  kind: 'credit';
}

export type OutboxItem = OutboxEvent | OutboxCredit;

/** A credit that the ledger has permanently refused; it waits for an admin. */
export interface ParkedCredit extends OutboxCredit {
  /** Problem type of the refusal: `key-conflict`, `amount-not-allowed`. */
  refusal: string;
  message: string;
  /** ms since epoch. */
  parkedAtMs: number;
}

/** A document's pending events and credits. */
export interface OutboxFields {
  outbox?: OutboxItem[];
  /** When the oldest item was written, ms since epoch: the sweep takes it five seconds later. Present while `outbox` is not empty. */
  dirtyAt?: number;
  parked?: ParkedCredit[];
  /** ms since epoch; present while `parked` is not empty. */
  parkedAt?: number;
}

export interface OutboxDocument extends OutboxFields {
  _id: string;
}

/** A versioned document with an outbox. */
export interface WithOutbox extends Versioned, OutboxFields {}

export const isEvent = (item: OutboxItem): item is OutboxEvent => item.kind === 'event';
export const isCredit = (item: OutboxItem): item is OutboxCredit => item.kind === 'credit';

/** The user and document version that an event describes, and its slot in the outbox. */
export interface EventOrigin {
  userId: string;
  /** The other user, when the kind is about two. */
  otherId?: string;
  seq: bigint | number;
  atMs: number;
  /** Slot in the outbox: a newer event replaces an unpublished one in the same slot. Unique in the stream, whatever the subject. */
  key?: string;
}

/** Builds an event for a document's outbox. */
export function eventItem(kind: EventKind, origin: EventOrigin, state: Record<string, unknown>): OutboxEvent {
  const { userId, seq, key = `${slotOf(kind)}:${userId}` } = origin;
  return { kind: 'event', key, seq, ...enveloped(kind, `${key}:${seq}`, origin, state) };
}

/** Builds the subject and payload of a state's event (services/README.md#events). */
export function enveloped(
  kind: EventKind,
  id: string,
  { userId, otherId, seq, atMs }: Omit<EventOrigin, 'key'>,
  state: Record<string, unknown>,
): Pick<OutboxEvent, 'subject' | 'payload'> {
  const payload = { v: 1, id, at: atMs, userId, seq: seq.toString(), ...state };
  return { subject: subjectOf(kind, userId, otherId), payload };
}

/** The version is included, because message ids are unique in a stream across subject versions. */
function slotOf({ thing, verb, version = 1 }: EventKind): string {
  return version === 1 ? `${thing}.${verb}` : kindName({ thing, verb, version });
}

/**
 * Returns an outbox with an item added; one of the same kind and key is replaced.
 * @throws Problem 503 when the outbox holds OUTBOX_ITEMS_MAX other events: retry the same call
 */
export function addToOutbox<T extends OutboxItem>(outbox: readonly T[], item: T): T[] {
  const others = outbox.filter(({ kind, key }) => kind !== item.kind || key !== item.key);
  if (isEvent(item) && others.filter(isEvent).length >= OUTBOX_ITEMS_MAX)
    throw unavailable('outbox-full', 'Please try again in a moment.', 2);
  return [...others, item];
}

/** Returns the document with one more item, to be written in the same compare-and-set as the change that caused it. */
export function withItem<D extends OutboxFields>(doc: D, item: OutboxItem, nowMs: number): D {
  return { ...doc, outbox: addToOutbox(doc.outbox ?? [], item), dirtyAt: doc.dirtyAt ?? nowMs };
}

/** Whether a credit is pending. */
export function isPending({ outbox = [] }: OutboxFields, key: string): boolean {
  return outbox.some((item) => isCredit(item) && item.key === key);
}

/** Returns the document without some items, pending or parked, for an erasure (services/README.md#erasure). */
export function withoutItems<D extends OutboxFields>(doc: D, goes: (item: OutboxItem) => boolean): D {
  const { outbox = [], dirtyAt, parked = [], parkedAt, ...rest } = doc;
  const [items, refused] = [outbox.filter((item) => !goes(item)), parked.filter((item) => !goes(item))];
  return {
    ...rest,
    ...(items.length > 0 ? { outbox: items, ...(dirtyAt === undefined ? {} : { dirtyAt }) } : {}),
    ...(refused.length > 0 ? { parked: refused, ...(parkedAt === undefined ? {} : { parkedAt }) } : {}),
  } as D;
}

/** Returns the document without any pending items. */
export function withoutOutbox<D extends OutboxFields>(doc: D): Omit<D, keyof OutboxFields> {
  return withoutItems(doc, () => true);
}
