import { NOBODY, subjectOf } from '@cord/contracts/events/envelope';
import { badgePurchased, claimMade, type EpochRow, epochChanged } from '@cord/contracts/events/rewards';
import { addToOutbox, ensureOutboxIndexes, type OutboxItem } from '@cord/kit/outbox';
import { ensurePromiseIndexes, type PromisedCredit, type Promises } from '@cord/kit/promised-credits';
import { type Versioned, type VersionedDocuments, versionedDocuments } from '@cord/kit/versioned';
import type { Connection } from 'mongoose';
import type { ClaimKind, ClaimMade, Holder } from './domain/claims.js';

export const HOLDERS = 'holders';
export const EPOCHS = 'epochs';

interface Owing extends Versioned, Promises {
  outbox?: OutboxItem[];
  dirtyAt?: number;
}

/** One user's badge and one-time claims. */
export type HolderDocument = Owing & Holder;

/** The whole epoch table: one document, so that its version orders every change. */
export interface EpochTable extends Owing {
  epochs: EpochRow[];
  /** While a change is in the outbox: the table as it was told last. */
  before?: readonly EpochRow[];
  /** Admin who made the last change. */
  by?: string;
}

export interface RewardsStore {
  holders: VersionedDocuments<HolderDocument>;
  epochs: VersionedDocuments<EpochTable>;
}

export async function openStore(connection: Connection): Promise<RewardsStore> {
  for (const name of [HOLDERS, EPOCHS]) await ensureOutboxIndexes(connection, name);
  await ensurePromiseIndexes(connection, HOLDERS);
  return {
    holders: versionedDocuments<HolderDocument>(connection, HOLDERS, newHolder),
    epochs: versionedDocuments<EpochTable>(connection, EPOCHS, (id) => ({ _id: id, seq: 0n, epochs: [] })),
  };
}

function newHolder(id: string): HolderDocument {
  return { _id: id, seq: 0n, joinedAtMs: null, returning: false, badge: null, compensation: null, cordClaim: null };
}

/** The holder after a claim: the claim, the promise and the event in one write. */
export function afterClaim(
  holder: HolderDocument,
  kind: ClaimKind,
  credit: PromisedCredit,
  nowMs: number,
): HolderDocument {
  const claim = { amountMicro: credit.amountMicro, atMs: nowMs };
  const state = claimState({ ...holder, [kind]: claim }, kind);
  return {
    ...told(holder, `claim:${kind}:${holder._id}`, subjectOf(claimMade, holder._id), state, nowMs),
    [kind]: claim,
    promised: [...(holder.promised ?? []), credit],
    promisedAt: holder.promisedAt ?? nowMs,
  };
}

/** What claim.made says: the claim made last, and all. */
function claimState(holder: Pick<Holder, ClaimKind>, kind: ClaimKind): Record<string, unknown> {
  const [compensation, cordclaim] = [holder.compensation, holder.cordClaim].map((made) => made && toldClaim(made));
  const last = kind === 'cordClaim' ? cordclaim : compensation;
  return { kind: kind === 'cordClaim' ? 'cordclaim' : 'compensation', ...last, claims: { compensation, cordclaim } };
}

const toldClaim = ({ amountMicro, atMs }: ClaimMade) => ({ amountMicro: amountMicro.toString(), claimedAt: atMs });

/** The holder after a purchase that is proven. */
export function afterPurchase(holder: HolderDocument, orderId: string, nowMs: number): HolderDocument {
  const badge = { orderId, purchasedAtMs: nowMs };
  return {
    ...told(holder, `badge:${holder._id}`, subjectOf(badgePurchased, holder._id), badgeState(badge), nowMs),
    badge,
  };
}

const badgeState = ({ orderId, purchasedAtMs }: NonNullable<Holder['badge']>) => ({
  orderId,
  purchasedAt: purchasedAtMs,
});

/** The events that say of a holder what the last ones said. */
export function holderItems(holder: HolderDocument): OutboxItem[] {
  const { _id, badge, compensation, cordClaim, seq } = holder;
  const last = (cordClaim?.atMs ?? 0) > (compensation?.atMs ?? 0) ? 'cordClaim' : 'compensation';
  const claimedAtMs = holder[last]?.atMs;
  return [
    ...(badge
      ? [item(seq, _id, `badge:${_id}`, subjectOf(badgePurchased, _id), badgeState(badge), badge.purchasedAtMs)]
      : []),
    ...(claimedAtMs !== undefined
      ? [item(seq, _id, `claim:${last}:${_id}`, subjectOf(claimMade, _id), claimState(holder, last), claimedAtMs)]
      : []),
  ];
}

/** The event that says the table as it was told last; none while a change waits to be told, or to be taken back. */
export function tableItems({ outbox, epochs, seq }: EpochTable, nowMs: number): OutboxItem[] {
  if ((outbox ?? []).length > 0 || epochs.length === 0) return [];
  return [item(seq, NOBODY, 'epoch:table', subjectOf(epochChanged, NOBODY), { epochs }, nowMs)];
}

/** The epoch table with another list. */
export function afterEpochs(table: EpochTable, epochs: EpochRow[], nowMs: number): EpochTable {
  return { ...told(table, 'epoch:table', subjectOf(epochChanged, NOBODY), { epochs }, nowMs, NOBODY), epochs };
}

/** Adds the event of the version that is about to be written. */
function told<D extends Owing>(
  doc: D,
  key: string,
  subject: string,
  state: Record<string, unknown>,
  nowMs: number,
  userId = doc._id,
): D {
  return {
    ...doc,
    outbox: addToOutbox(doc.outbox ?? [], item(doc.seq + 1n, userId, key, subject, state, nowMs)),
    dirtyAt: doc.dirtyAt ?? nowMs,
  };
}

function item(
  seq: bigint,
  userId: string,
  key: string,
  subject: string,
  state: Record<string, unknown>,
  at: number,
): OutboxItem {
  return { key, seq, subject, payload: { v: 1, id: `${key}:${seq}`, at, userId, seq: seq.toString(), ...state } };
}
