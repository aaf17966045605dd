import { balanceChanged, type Source } from '@cord/contracts/events/balance';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { collection } from '@cord/kit/collection';
import type { Account, Entry, FinishedDay } from '../ledger/account.js';
import type { SessionRecord } from '../ledger/session-record.js';
import { balanceStates, type LedgerParts, nodeStates } from '../states.js';

/** The account document: the account itself, and what only store, relay and sweepers need. */
export interface AccountDoc extends Omit<Account, 'userId' | 'announceSeq'> {
  _id: string;
  announceSeq?: bigint;
  /** Something waits for the relay since then, ms; absent when nothing does. */
  dirtyAt?: number;
  /** Not after the end of the lease of an active node; absent else. Coarse, so that a save seldom moves the index. */
  leaseHintMs?: number;
  /** A number of the user's own, by which running nodes are drawn for a sample; absent while the node does not run. */
  drawnAt?: number;
  /** From when on a node that does not run forgets its addresses, ms; absent where there is nothing to forget. */
  forgetAtMs?: number;
  /** Since when commission stands open, ms; absent when none does. */
  commissionSinceMs?: number;
}

export type EntryDoc = Omit<Entry, 'key'> & { _id: string };
/** Where the time was is published and forgotten after 30 days; a record stands for good. */
export type SessionDoc = Omit<SessionRecord, 'id' | 'addressHash'> & { _id: string };

/** A finished day; `_id` is `<userId>:<dayKey>`, so that a range of it is a user's days in order. */
export type DayDoc = FinishedDay & { _id: string };

/** What one process has credited on one day, to whomever; `_id` is `<dayKey>:<process>`. */
interface IssuedDoc {
  _id: string;
  dayKey: string;
  bySource: Partial<Record<Source, bigint>>;
}

/** A correction of a balance, as two operators make it. */
export interface CorrectionDoc {
  /** The last part of the key of its entry. */
  _id: string;
  userId: string;
  /** Added to the balance; below 0 it is taken off. */
  amountMicro: bigint;
  /** Of the entry: the user reads it. */
  reason: string;
  status: 'open' | 'confirmed' | 'withdrawn';
  proposedBy: string;
  proposedAtMs: number;
  decidedBy: string | null;
  decidedAtMs: number | null;
  /** Since when it is confirmed and not known to be in the ledger, ms; absent else. */
  dueAtMs?: number;
  /** Who withdraws it although it is confirmed, and since when, ms; absent once that is decided. From then on nobody begins to book it. */
  withdrawal?: { readonly by: string; readonly atMs: number };
}

/** The table of rules in use, one document. */
export interface EpochsDoc {
  _id: 'table';
  version: bigint;
  epochs: { id: string; name: string; multiplierHundredths: number; startAt: number; endAt: number }[];
  /** By rising `fromMs`; absent before the first change: the first book holds. */
  books?: readonly RuleBook[];
  /** The latest version that came too late and is never stored. */
  refused?: bigint;
}

const isErased = ({ erasedAtMs }: AccountDoc) => erasedAtMs !== null;

export const ACCOUNTS = collection<AccountDoc, LedgerParts>({
  name: 'accounts',
  document: 'account',
  indexes: ['dirtyAt', 'leaseHintMs', 'drawnAt', 'forgetAtMs', 'commissionSinceMs'].map((field) => ({
    key: { [field]: 1 },
    sparse: true,
  })),
  states: [
    { kinds: [balanceChanged], items: balanceStates, isGone: isErased },
    { kinds: [nodeStarted, nodePaused, nodeStopped], items: nodeStates, isGone: isErased },
  ],
});

export const ENTRIES = collection<EntryDoc>({
  name: 'entries',
  document: 'entry',
  indexes: [{ key: { userId: 1, seq: -1 }, unique: true }, { key: { userId: 1, source: 1, atMs: -1 } }],
  /** Entries stay; no text that an operator wrote about the user does. */
  erase: (documents, userId) => documents.updateMany({ userId, source: 'correction' }, { $set: { reason: '' } }),
});

export const SESSIONS = collection<SessionDoc>({
  name: 'sessions',
  document: 'session record',
  indexes: [{ key: { userId: 1, startedAtMs: -1 } }, { key: { status: 1, endedAtMs: -1 } }],
  erase: (documents, userId) => documents.deleteMany({ userId }),
});

export const DAYS = collection<DayDoc>({ name: 'days', document: 'finished day' });
export const ISSUED = collection<IssuedDoc>({ name: 'issued' });
export const EPOCHS = collection<EpochsDoc>({ name: 'epochs' });

export const CORRECTIONS = collection<CorrectionDoc>({
  name: 'corrections',
  document: 'correction',
  indexes: [{ key: { status: 1, proposedAtMs: -1 } }, { key: { dueAtMs: 1 }, sparse: true }, { key: { userId: 1 } }],
  /**
   * No proposal stays, and no text that an operator wrote about the user. What the user proposed as an operator is withdrawn: returned
   * under another id, the same person would be the second operator.
   */
  async erase(corrections, userId) {
    await corrections.deleteMany({ userId, status: { $ne: 'confirmed' } });
    await corrections.updateMany({ userId }, { $set: { reason: '' }, $unset: { dueAtMs: '', withdrawal: '' } });
    await corrections.updateMany({ proposedBy: userId, status: 'open' }, { $set: { status: 'withdrawn' } });
  },
});
