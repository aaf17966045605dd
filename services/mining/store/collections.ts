import { balanceChanged, type Source } from '@cord/contracts/events/balance';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { collection } from '@cord/kit/collection';
import type { Account, Entry, FinishedDay } from '../ledger/account.js';
import type { SessionRecord } from '../ledger/session-record.js';
import { balanceStates, type LedgerParts, nodeStates } from '../states.js';

/** The account document: the account, with fields for the store, the relay and the sweepers. */
export interface AccountDoc extends Omit<Account, 'userId' | 'announceSeq'> {
  _id: string;
  announceSeq?: bigint;
  /** Since when something waits for the relay, ms; absent otherwise. */
  dirtyAt?: number;
  /** Not after the end of an active node's lease; absent otherwise. Coarse, so that a save seldom changes the index. */
  leaseHintMs?: number;
  /** The user's fixed random number, by which running nodes are sampled; absent while the node does not run. */
  drawnAt?: number;
  /** When a stopped node must forget its addresses, ms; absent without addresses. */
  forgetAtMs?: number;
  /** Since when commission is open, ms; absent without any. */
  commissionSinceMs?: number;
}

export type EntryDoc = Omit<Entry, 'key'> & { _id: string };
/** A record is permanent, so it has no address: addresses are only published, and forgotten after 30 days. */
export type SessionDoc = Omit<SessionRecord, 'id' | 'addressHash'> & { _id: string };

/** A finished day; `_id` is `<userId>:<dayKey>`, so that a range of it returns a user's days in order. */
export type DayDoc = FinishedDay & { _id: string };

/** The credits of one process on one day, over all users; `_id` is `<dayKey>:<process>`. */
interface IssuedDoc {
  _id: string;
  dayKey: string;
  bySource: Partial<Record<Source, bigint>>;
}

/** A correction of a balance by two operators. */
export interface CorrectionDoc {
  /** Last part of the key of its entry. */
  _id: string;
  userId: string;
  /** Added to the balance; a negative amount reduces it. */
  amountMicro: bigint;
  /** Reason in the entry, visible to the user. */
  reason: string;
  status: 'open' | 'confirmed' | 'withdrawn';
  proposedBy: string;
  proposedAtMs: number;
  decidedBy: string | null;
  decidedAtMs: number | null;
  /** Since when it is confirmed and not known to be in the ledger, ms; absent otherwise. */
  dueAtMs?: number;
  /** The operator who withdraws a confirmed correction, and since when, ms; absent once decided. From then on no booking begins. */
  withdrawal?: { readonly by: string; readonly atMs: number };
}

/** The table of rules in use, one document. */
export interface EpochsDoc {
  _id: 'table';
  version: bigint;
  epochs: { id: string; name: string; multiplierHundredths: number; startAt: number; endAt: number }[];
  /** By ascending `fromMs`; absent before the first change: then the first book holds. */
  books?: readonly RuleBook[];
  /** The latest version that was too late and is never stored. */
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
  /** Entries stay, without the texts that operators wrote about the user. */
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
   * Deletes proposals about the user and the texts that operators wrote; the sweep deletes what is due and not booked.
   * Withdraws the user's own open proposals as an operator: returned under another id, the same person could otherwise
   * confirm them as the second operator.
   */
  async erase(corrections, userId) {
    await corrections.deleteMany({ userId, status: { $ne: 'confirmed' } });
    await corrections.updateMany({ userId }, { $set: { reason: '' }, $unset: { withdrawal: '' } });
    await corrections.updateMany({ proposedBy: userId, status: 'open' }, { $set: { status: 'withdrawn' } });
  },
});
