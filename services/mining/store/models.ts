import { balanceChanged, type Source } from '@cord/contracts/events/balance';
import { nodePaused, nodeStarted, nodeStopped } from '@cord/contracts/events/node';
import { collection } from '@cord/kit/collection';
import { type Connection, type Model, Schema } from 'mongoose';
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
export type SessionDoc = Omit<SessionRecord, 'id'> & { _id: string };

/** A finished day; `_id` is `<userId>:<dayKey>`, so that a range of it is a user's days in order. */
export type DayDoc = FinishedDay & { _id: string };

/** What one process has credited on one day, to whomever; `_id` is `<dayKey>:<process>`. */
export interface IssuedDoc {
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
}

/** The epoch table in use, one document. */
export interface EpochsDoc {
  _id: 'table';
  version: bigint;
  epochs: { id: string; name?: string | undefined; multiplierHundredths: number; startAt: number; endAt: number }[];
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
  indexes: [{ key: { userId: 1, startedAtMs: -1 } }],
  erase: (documents, userId) => documents.deleteMany({ userId }),
});

export const DAYS = collection<DayDoc>({ name: 'days', document: 'finished day' });
export const ISSUED = collection<IssuedDoc>({ name: 'issued' });
export const EPOCHS = collection<EpochsDoc>({ name: 'epochs' });

export const CORRECTIONS = collection<CorrectionDoc>({
  name: 'corrections',
  document: 'correction',
  indexes: [{ key: { status: 1, proposedAtMs: -1 } }, { key: { dueAtMs: 1 }, sparse: true }, { key: { userId: 1 } }],
  /** No proposal stays, and no text that an operator wrote about the user. */
  async erase(corrections, userId) {
    await corrections.deleteMany({ userId, status: { $ne: 'confirmed' } });
    await corrections.updateMany({ userId }, { $set: { reason: '' }, $unset: { dueAtMs: '' } });
  },
});

export interface Models {
  accounts: Model<AccountDoc>;
  entries: Model<EntryDoc>;
  sessions: Model<SessionDoc>;
  days: Model<DayDoc>;
  issued: Model<IssuedDoc>;
  epochs: Model<EpochsDoc>;
  corrections: Model<CorrectionDoc>;
}

const OPTIONS = { versionKey: false, minimize: false, strict: true } as const;
const { BigInt: Int64, Mixed } = Schema.Types;
const id = { type: String, required: true } as const;
const int64 = { type: Int64, required: true } as const;
const number = { type: Number, required: true } as const;
const plain = { type: Mixed, required: true } as const;

const accountSchema = new Schema(
  {
    _id: id,
    seq: int64,
    balanceMicro: int64,
    openedAtMs: number,
    joinedAtMs: Number,
    erasedAtMs: { type: Number, default: null },
    totals: plain,
    node: plain,
    factors: plain,
    open: plain,
    openCommission: Mixed,
    epoch: plain,
    chain: plain,
    credited: Mixed,
    outbox: { type: [Mixed], required: true },
    announceSeq: Int64,
    announceCause: Mixed,
    announceNextMs: number,
    dirtyAt: Number,
    leaseHintMs: Number,
    drawnAt: Number,
    forgetAtMs: Number,
    commissionSinceMs: Number,
  },
  { ...OPTIONS, collection: 'accounts' },
);

const entrySchema = new Schema(
  {
    _id: id,
    userId: id,
    seq: int64,
    source: id,
    amountMicro: int64,
    balanceMicro: int64,
    atMs: number,
    reason: { type: String, default: '' },
    n: number,
    facts: { type: String, default: '' },
    hash: id,
  },
  { ...OPTIONS, collection: 'entries' },
);

const sessionSchema = new Schema(
  {
    _id: id,
    userId: id,
    status: id,
    startedAtMs: number,
    endedAtMs: { type: Number, default: null },
    creditedUntilMs: number,
    leaseUntilMs: number,
    earnedMicro: int64,
    sessionMs: number,
    ranMs: number,
    addressHash: { type: String, default: null },
    rateNano: int64,
    tierHundredths: int64,
    antiCheatHundredths: int64,
    badge: { type: Boolean, required: true },
    epochHundredths: int64,
    epochId: { type: String, default: null },
    ageTenths: number,
  },
  { ...OPTIONS, collection: 'sessions' },
);

const daySchema = new Schema(
  { _id: id, userId: id, dayKey: id, bySource: plain, ranMs: number },
  { ...OPTIONS, collection: 'days' },
);

const issuedSchema = new Schema({ _id: id, dayKey: id, bySource: plain }, { ...OPTIONS, collection: 'issued' });

const epochsSchema = new Schema(
  { _id: id, version: int64, epochs: { type: [Mixed], required: true }, refused: Int64 },
  { ...OPTIONS, collection: 'epochs' },
);

const correctionSchema = new Schema(
  {
    _id: id,
    userId: id,
    amountMicro: int64,
    reason: { type: String, default: '' },
    status: id,
    proposedBy: id,
    proposedAtMs: number,
    decidedBy: { type: String, default: null },
    decidedAtMs: { type: Number, default: null },
    dueAtMs: Number,
  },
  { ...OPTIONS, collection: 'corrections' },
);

/** The service's models on its own connection. */
export function defineModels(connection: Connection): Models {
  return {
    accounts: connection.model('Account', accountSchema) as unknown as Model<AccountDoc>,
    entries: connection.model('Entry', entrySchema) as unknown as Model<EntryDoc>,
    sessions: connection.model('Session', sessionSchema) as unknown as Model<SessionDoc>,
    days: connection.model('Day', daySchema) as unknown as Model<DayDoc>,
    issued: connection.model('Issued', issuedSchema) as unknown as Model<IssuedDoc>,
    epochs: connection.model('Epochs', epochsSchema) as unknown as Model<EpochsDoc>,
    corrections: connection.model('Correction', correctionSchema) as unknown as Model<CorrectionDoc>,
  };
}
