import type { Source } from '@cord/contracts/events/balance';
import type { Cause, Caused } from '@cord/kit/cause';
import { type Chain, newChain } from './chain.js';
import type { SessionRecord } from './session-record.js';

/**
 * The ledger account of one user as plain data (services/mining/ledger/README.md#account-and-entries). It is one
 * document, so every change is one compare-and-set on `seq`. Amounts are micro-CORD, times ms since epoch. It is
 * immutable: each step (settle, credit, start, stop) returns a new account.
 */
export interface Account {
  readonly userId: string;
  /** Version. Every written change raises it, and every entry takes a seq of its own. */
  readonly seq: bigint;
  /** Sum of all entries, including those in the outbox, and of the open mining and commission. */
  readonly balanceMicro: bigint;
  readonly openedAtMs: number;
  /** When the user joined, from auth. The account may be opened later; absent when it was opened at once. */
  readonly joinedAtMs?: number;
  /** Set when the user was erased: no more credits, starts or announcements (services/README.md#erasure). */
  readonly erasedAtMs: number | null;
  readonly totals: Totals;
  readonly node: Node;
  readonly factors: Factors;
  readonly open: OpenAccrual;
  readonly openCommission: OpenCommission;
  readonly epoch: EpochTotal;
  readonly chain: Chain;
  /** Number of credits of the newest UTC day that had any, by source; absent before the first. */
  readonly credited?: CreditedDay | undefined;
  /** Entries and node events that wait for the relay; at most LedgerBounds.outbox. */
  readonly outbox: readonly OutboxItem[];
  /** The single, overwritten slot for balance.changed: the seq of the last request; null when announced. */
  readonly announceSeq: bigint | null;
  /** Cause of the last request; absent without one. */
  readonly announceCause?: Cause;
  /** Earliest time at which mining alone may request another balance.changed (at most once per 29 s a user). */
  readonly announceNextMs: number;
}

/** Sum of a UTC day, ISO week or month. An older key means 0 for the current one. */
export interface Period {
  readonly key: string;
  /** Sum of the sources that count for rankings (services/contracts/rules/README.md#rankings). */
  readonly micro: bigint;
  /** The part from mining. */
  readonly miningMicro: bigint;
  /** Credited node time in the period, ms. */
  readonly ranMs: number;
  /** When `micro` was reached: on a tie, the earlier user ranks first. */
  readonly reachedAtMs: number;
}

/** The current day, with the income by source, including sources that do not count for rankings. */
export interface Day extends Period {
  readonly bySource: Readonly<Partial<Record<Source, bigint>>>;
}

/** Number of credits by other services in one UTC day. */
interface CreditedDay {
  readonly dayKey: string;
  readonly bySource: Readonly<Partial<Record<Source, number>>>;
}

export interface Totals {
  readonly allMicro: bigint;
  readonly allReachedAtMs: number;
  readonly day: Day;
  readonly week: Period;
  readonly month: Period;
  readonly bySource: Readonly<Partial<Record<Source, bigint>>>;
}

/** The node and its current or last session. */
export interface Node {
  readonly status: 'idle' | 'active' | 'paused';
  readonly sessionId: string | null;
  readonly startedAtMs: number;
  /** Credited up to this time; never moves back. */
  readonly lastAtMs: number;
  /** The node pauses at this time unless a contact comes first (8 h after the last contact). */
  readonly leaseUntilMs: number;
  /** Remainder of the last accrual, in 1 / CARRY_UNIT micro-CORD; carried over between sessions. */
  readonly carry: bigint;
  readonly sessionMicro: bigint;
  /** Credited ms of this session. */
  readonly sessionMs: number;
  /** Credited ms of all sessions. */
  readonly ranMs: number;
  readonly firstStartedAtMs: number | null;
  /** Keyed hash of the address of the last contact; null when none counts (services/contracts/rules/README.md#network-check). */
  readonly addressHash: string | null;
  /** Credited time by address of the preceding contact, latest last. Absent before the first. */
  readonly addresses?: readonly TimeAtAddress[];
  /** State of the node in its last event; absent before the first. */
  readonly published?: { readonly atMs: number; readonly addressHash: string | null; readonly ranMs: number };
}

/** Credited node time at one address. */
export interface TimeAtAddress {
  readonly hash: string;
  /** Credited ms of all sessions; only rises while the address is remembered. */
  readonly ms: number;
  /** The node's time of all sessions when this count began, ms. */
  readonly fromRanMs: number;
  /** Credited up to this time. */
  readonly atMs: number;
}

/** The factors of this user's rate, without the epoch. */
export interface Factors {
  /** Creation time of the Discord account: the tier follows from its exact age. 0 once erased. */
  readonly discordCreatedAtMs: number;
  readonly antiCheatHundredths: bigint;
  /** Version of the assessment in force; an older one is ignored. */
  readonly antiCheatSeq: bigint;
  readonly badge: boolean;
}

/** Credited mining without an entry yet: one rate, one clock hour. */
interface OpenAccrual {
  readonly sinceMs: number;
  readonly amountMicro: bigint;
  /** nano-CORD per minute. */
  readonly rateNano: bigint;
  /** Node time at this rate, ms, and the carry before it. Null when the amount has more than one rate. */
  readonly made: { readonly ms: number; readonly carryBefore: bigint } | null;
}

/** Reported commission of one clock hour without an entry yet. It stays open during other credits. */
interface OpenCommission {
  readonly sinceMs: number;
  readonly amountMicro: bigint;
}

/** The epoch in force at the last settled mining, and the amount mined in it. */
interface EpochTotal {
  readonly id: string | null;
  readonly joinedAtMs: number | null;
  readonly micro: bigint;
}

/** One immutable credit; its id is the idempotency key. */
export interface Entry {
  readonly key: string;
  readonly userId: string;
  readonly seq: bigint;
  readonly source: Source;
  readonly amountMicro: bigint;
  /** Sum of the entries up to this one. */
  readonly balanceMicro: bigint;
  readonly atMs: number;
  readonly reason: string;
  /** Place in the account's chain: 1, 2, 3 without gaps. */
  readonly n: number;
  /** For mining, the facts behind the amount (services/contracts/proof/README.md); else empty. */
  readonly facts: string;
  /** Hash of the previous entry's hash and all fields of this one, base64. */
  readonly hash: string;
}

/** A finished UTC day, the sum of the user's entries. Its figures never change again. */
export interface FinishedDay {
  readonly userId: string;
  /** `2026-11-21` */
  readonly dayKey: string;
  readonly bySource: Readonly<Partial<Record<Source, bigint>>>;
  /** Credited node time, ms. */
  readonly ranMs: number;
}

/** An item for the relay. Its seq is unique within the account. */
export type OutboxItem = Readonly<Caused> & OutboxKind;

type OutboxKind =
  | { readonly kind: 'day'; readonly key: string; readonly seq: bigint; readonly day: FinishedDay }
  | { readonly kind: 'entry'; readonly key: string; readonly seq: bigint; readonly entry: Entry }
  | {
      readonly kind: 'node';
      readonly key: string;
      readonly seq: bigint;
      readonly verb: NodeVerb;
      readonly atMs: number;
      readonly session: SessionRecord;
      readonly addresses: readonly TimeAtAddress[];
      /** Node time of the current UTC day over all sessions, ms. */
      readonly day: { readonly dayKey: string; readonly ms: number };
    };

export type NodeVerb = 'started' | 'paused' | 'stopped';

/**
 * Creates an account.
 * @param discordCreatedAtMs creation of the Discord account, which determines the tier
 * @param joinedAtMs when the user joined, not after `nowMs`
 */
export function newAccount(
  userId: string,
  discordCreatedAtMs: number,
  nowMs: number,
  joinedAtMs: number = nowMs,
): Account {
  return {
    userId,
    seq: 1n,
    balanceMicro: 0n,
    openedAtMs: nowMs,
    joinedAtMs,
    erasedAtMs: null,
    totals: emptyTotals(nowMs),
    node: {
      status: 'idle',
      sessionId: null,
      startedAtMs: 0,
      lastAtMs: 0,
      leaseUntilMs: 0,
      carry: 0n,
      sessionMicro: 0n,
      sessionMs: 0,
      ranMs: 0,
      firstStartedAtMs: null,
      addressHash: null,
    },
    factors: { discordCreatedAtMs, antiCheatHundredths: 100n, antiCheatSeq: 0n, badge: false },
    open: NOTHING_OPEN,
    openCommission: NO_COMMISSION,
    epoch: { id: null, joinedAtMs: null, micro: 0n },
    chain: newChain(userId),
    outbox: [],
    announceSeq: 1n,
    announceNextMs: 0,
  };
}

export const NOTHING_OPEN: OpenAccrual = { sinceMs: 0, amountMicro: 0n, rateNano: 0n, made: null };
export const NO_COMMISSION: OpenCommission = { sinceMs: 0, amountMicro: 0n };

function emptyTotals(nowMs: number): Totals {
  const empty = { key: '', micro: 0n, miningMicro: 0n, ranMs: 0, reachedAtMs: nowMs };
  const day = { ...empty, bySource: {} };
  return { allMicro: 0n, allReachedAtMs: nowMs, day, week: empty, month: empty, bySource: {} };
}
