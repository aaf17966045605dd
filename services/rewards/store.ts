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

/** What is paid, and when. */
export interface RuleRows {
  readonly epochs: readonly EpochRow[];
  /** By rising `fromMs`; none before the first change: the first book holds. */
  readonly books: readonly AnnouncedBook[];
  /** Changes of the rules that wait for a second operator: they pay nothing yet. */
  readonly proposals: readonly Proposal[];
}

/** The table without a change that waited: it is confirmed or withdrawn. */
export const withoutProposal = (rows: RuleRows, id: string): RuleRows => ({
  ...rows,
  proposals: rows.proposals.filter((one) => one.id !== id),
});

/** The whole table of rules: one document, so that its version orders every change. */
export interface EpochTable extends WithOutbox {
  epochs: readonly EpochRow[];
  books?: readonly AnnouncedBook[];
  proposals?: readonly Proposal[];
  /** While a change is in the outbox: the table as published last. */
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

/** The holder after a claim: the claim, the credit and the event in one write. */
export function afterClaim(
  holder: HolderDocument,
  kind: ClaimKind,
  credit: OutboxCredit,
  nowMs: number,
): HolderDocument {
  const made = { ...holder, [kind]: { ...holder[kind], amountMicro: credit.amountMicro, atMs: nowMs } };
  return withItem(withEvent(made, claimEvent(made, kind), nowMs), credit, nowMs);
}

/** What claim.made carries: the last claim, and all. */
function claimEvent(holder: Pick<HolderDocument, '_id' | ClaimKind>, kind: ClaimKind): EventDraft {
  const [compensation, cordclaim] = [holder.compensation, holder.cordClaim].map((made) => made && publishedClaim(made));
  const last = kind === 'cordClaim' ? cordclaim : compensation;
  const named = kind === 'cordClaim' ? 'cordclaim' : 'compensation';
  const state = { kind: named, ...last, claims: { compensation, cordclaim } };
  return { key: `claim:${kind}:${holder._id}`, kind: claimMade, state };
}

const publishedClaim = ({ amountMicro, atMs }: ClaimMade) => ({ amountMicro: amountMicro.toString(), claimedAt: atMs });

/** The holder after a purchase that is proven. @param transaction that paid for it */
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

/** The events of a holder as published last. */
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

/** The event of the table as published last; none while a change waits to be published, or to be reverted. */
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

/** The books with when they were announced: what the owner of notices shows. */
function publishedBooks(books: readonly AnnouncedBook[]): object[] {
  const announced = new Map(books.map(({ version, announcedAtMs }) => [version, announcedAtMs]));
  return booksOf(books).map((book) => ({ ...book, announcedAtMs: announced.get(book.version) ?? null }));
}

/** The books as the ledger pays by them. */
export function booksOf(books: readonly AnnouncedBook[]): RuleBook[] {
  return books.length === 0
    ? [FIRST_BOOK]
    : books.map(({ announcedAtMs: _at, reason: _why, sooner: _sooner, proposal: _id, ...book }) => book);
}

/** The table with other rows. */
export function afterRules(table: EpochTable, rows: RuleRows, nowMs: number): EpochTable {
  return { ...withEvent(table, tableEvent(rows), nowMs, NOBODY), ...rows };
}

/** The rows of the table as it stands. */
export const rowsOf = ({ epochs, books = [], proposals = [] }: EpochTable): RuleRows => ({ epochs, books, proposals });

/** An event of a document: which slot of the outbox, of which kind, and its payload. */
interface EventDraft {
  key: string;
  kind: EventKind;
  state: Record<string, unknown>;
}

/** Adds the event of the version that is about to be written. */
function withEvent<D extends WithOutbox>(doc: D, { key, kind, state }: EventDraft, atMs: number, userId = doc._id): D {
  return withItem(doc, eventItem(kind, { userId, seq: doc.seq + 1n, atMs, key }, state), atMs);
}
