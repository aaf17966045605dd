import { type EventKind, NOBODY } from '@cord/contracts/events/envelope';
import { badgePurchased, claimMade, type EpochRow, epochChanged } from '@cord/contracts/events/rewards';
import { FIRST_BOOK, type RuleBook } from '@cord/contracts/rules/rule-book';
import { collection } from '@cord/kit/collection';
import {
  eventItem,
  type OutboxCredit,
  type OutboxEvent,
  type WithOutbox,
  withItem,
  withoutOutbox,
} from '@cord/kit/outbox/items';
import type { VersionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import type { ClaimKind, ClaimMade, Holder } from './domain/claims.js';
import type { AnnouncedBook, Proposal } from './domain/rules.js';

/** One user's badge and one-time claims. */
export type HolderDocument = WithOutbox & Holder;

export const HOLDERS = collection<HolderDocument>({
  name: 'holders',
  document: 'holder',
  outbox: 'credits',
  empty: (_id) => ({
    ...{ _id, seq: 0n, joinedAtMs: null, returning: false },
    ...{ badge: null, compensation: null, cordClaim: null },
  }),
  tombstone: ({ ordersAtMs: _at, ...holder }) => ({ ...withoutOutbox(holder), badge: null, erased: true }),
  states: [{ kinds: [badgePurchased, claimMade], items: holderItems }],
});

/** The epochs and rule books in force and announced, and the open proposals. */
export interface RuleRows {
  readonly epochs: readonly EpochRow[];
  /** Sorted by `fromMs`; empty before the first change, when the first book applies. */
  readonly books: readonly AnnouncedBook[];
  /** Rule changes that await a second operator; they have no effect yet. */
  readonly proposals: readonly Proposal[];
}

/** Returns the rows without a proposal, after it was confirmed or withdrawn. */
export const withoutProposal = (rows: RuleRows, id: string): RuleRows => ({
  ...rows,
  proposals: rows.proposals.filter((one) => one.id !== id),
});

/** The rules as one document, so that its version orders all changes. */
export interface EpochTable extends WithOutbox {
  epochs: readonly EpochRow[];
  books?: readonly AnnouncedBook[];
  proposals?: readonly Proposal[];
  /** The last published rows; set while a change is in the outbox. */
  before?: RuleRows;
  /** Admin who made the last change. */
  by?: string;
}

export const EPOCHS = collection<EpochTable>({
  name: 'epochs',
  outbox: 'events',
  empty: (_id) => ({ _id, seq: 0n, epochs: [] }),
  states: [{ kinds: [epochChanged], items: (table, { nowMs }) => tableItems(table, nowMs), stays: true }],
});

export interface RewardsStore {
  holders: VersionedDocuments<HolderDocument>;
  epochs: VersionedDocuments<EpochTable>;
}

export function openStore(connection: Connection): RewardsStore {
  return { holders: HOLDERS.versioned(connection), epochs: EPOCHS.versioned(connection) };
}

/** Returns the holder after a claim: claim, credit and event are stored in one write. */
export function afterClaim(
  holder: HolderDocument,
  kind: ClaimKind,
  credit: OutboxCredit,
  nowMs: number,
): HolderDocument {
  const made = { ...holder, [kind]: { ...holder[kind], amountMicro: credit.amountMicro, atMs: nowMs } };
  return withItem(withEvent(made, claimEvent(made, kind), nowMs), credit, nowMs);
}

/** Payload of claim.made: the last claim, and all claims. */
function claimEvent(holder: Pick<HolderDocument, '_id' | ClaimKind>, kind: ClaimKind): EventDraft {
  const [compensation, cordclaim] = [holder.compensation, holder.cordClaim].map((made) => made && publishedClaim(made));
  const last = kind === 'cordClaim' ? cordclaim : compensation;
  const named = kind === 'cordClaim' ? 'cordclaim' : 'compensation';
  const state = { kind: named, ...last, claims: { compensation, cordclaim } };
  return { key: `claim:${kind}:${holder._id}`, kind: claimMade, state };
}

const publishedClaim = ({ amountMicro, atMs }: ClaimMade) => ({ amountMicro: amountMicro.toString(), claimedAt: atMs });

/** Returns the holder after a proven purchase. @param transaction the signature of the payment */
export function afterPurchase(
  holder: HolderDocument,
  { orderId, transaction }: { orderId: string; transaction: string },
  nowMs: number,
): HolderDocument {
  const badge = { ...holder.badge, orderId, transaction, purchasedAtMs: nowMs };
  return {
    ...withEvent(holder, badgeEvent(holder._id, badge), nowMs),
    badge,
  };
}

const badgeEvent = (
  userId: string,
  { orderId, purchasedAtMs, transaction }: NonNullable<Holder['badge']>,
): EventDraft => ({
  key: `badge:${userId}`,
  kind: badgePurchased,
  state: { orderId, purchasedAt: purchasedAtMs, transaction },
});

/** Returns the events of a holder for republishing. */
function holderItems(holder: HolderDocument): OutboxEvent[] {
  const { _id, badge, compensation, cordClaim, seq } = holder;
  const last = (cordClaim?.atMs ?? 0) > (compensation?.atMs ?? 0) ? 'cordClaim' : 'compensation';
  const claimedAtMs = holder[last]?.atMs;
  const itemOf = ({ key, kind, state }: EventDraft, atMs: number) =>
    eventItem(kind, { userId: _id, seq, atMs, key }, state);
  return [
    ...(badge ? [itemOf(badgeEvent(_id, badge), badge.purchasedAtMs)] : []),
    ...(claimedAtMs !== undefined ? [itemOf(claimEvent(holder, last), claimedAtMs)] : []),
  ];
}

/** Returns the event of the published table; none while a change waits to be published or reverted. */
function tableItems({ outbox, epochs, books = [], seq }: EpochTable, nowMs: number): OutboxEvent[] {
  if ((outbox ?? []).length > 0 || epochs.length === 0) return [];
  const { key, kind, state } = tableEvent({ epochs, books });
  return [eventItem(kind, { userId: NOBODY, seq, atMs: nowMs, key }, state)];
}

const tableEvent = ({ epochs, books }: Pick<RuleRows, 'epochs' | 'books'>): EventDraft => ({
  key: 'epoch:table',
  kind: epochChanged,
  state: { epochs, books: publishedBooks(books) },
});

/** The books with their announcement times, as notices shows them. */
function publishedBooks(books: readonly AnnouncedBook[]): object[] {
  const announced = new Map(books.map(({ version, announcedAtMs }) => [version, announcedAtMs]));
  return booksOf(books).map((book) => ({ ...book, announcedAtMs: announced.get(book.version) ?? null }));
}

/** The books without announcement data, as the ledger uses them; the first book if none was announced. */
export function booksOf(books: readonly AnnouncedBook[]): RuleBook[] {
  return books.length === 0
    ? [FIRST_BOOK]
    : books.map(({ announcedAtMs: _at, reason: _why, sooner: _sooner, proposal: _id, ...book }) => book);
}

/** Returns the table with new rows and their event. */
export function afterRules(table: EpochTable, rows: RuleRows, nowMs: number): EpochTable {
  return { ...withEvent(table, tableEvent(rows), nowMs, NOBODY), ...rows };
}

/** The current rows of the table. */
export const rowsOf = ({ epochs, books = [], proposals = [] }: EpochTable): RuleRows => ({ epochs, books, proposals });

/** An event of a document: its outbox slot, kind and payload. */
interface EventDraft {
  key: string;
  kind: EventKind;
  state: Record<string, unknown>;
}

/** Adds an event with the version of the upcoming write. */
function withEvent<D extends WithOutbox>(doc: D, { key, kind, state }: EventDraft, atMs: number, userId = doc._id): D {
  return withItem(doc, eventItem(kind, { userId, seq: doc.seq + 1n, atMs, key }, state), atMs);
}
