import type { Source } from '@cord/contracts/events/balance';
import type { Cause, Caused } from '@cord/kit/cause';
import { type Chain, newChain } from './chain.js';
import type { SessionRecord } from './session-record.js';

/**
 * The ledger account of one user as plain data (services/mining/ledger/README.md#account-and-entries). It is one document, so every change
 * is one compare-and-set on `seq`. Amounts are micro-CORD, times ms since epoch. Never changed in place: each step
 * (settle, credit, start, stop) takes an account and gives the next one.
 */
export interface Account {
  readonly userId: string;
  /** Version. Every written change raises it, and every entry takes one of its own. */
  readonly seq: bigint;
  /** Sum of all entries, of the outbox entries not yet written, and of what is open (mining, commission). */
  readonly balanceMicro: bigint;
  readonly openedAtMs: number;
  /** When the user came, as auth has it: the account may open later. Absent where it opened at once. */
  readonly joinedAtMs?: number;
  /** Set when the user was erased: nothing is credited, started or announced any more (services/README.md#erasure). */
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
  /** Entries and node events that the relay has still to write and publish; at most LedgerBounds.outbox. */
  readonly outbox: readonly OutboxItem[];
  /** The one overwritten slot for balance.changed: the seq that requested it last; null when announced. */
  readonly announceSeq: bigint | null;
  /** What requested it last; absent without a request. */
  readonly announceCause?: Cause;
  /** From when mining alone may request another balance.changed (at most once per 29 s a user). */
  readonly announceNextMs: number;
}

/** Sum of a UTC day, ISO week or month; an older key means 0 in the present one. */
export interface Period {
  readonly key: string;
  /** Sources that count for rankings (services/contracts/rules/README.md#rankings). */
  readonly micro: bigint;
  /** Of which mining alone. */
  readonly miningMicro: bigint;
  /** Credited node time in the period, ms. */
  readonly ranMs: number;
  /** When `micro` was reached: ties rank by who was first. */
  readonly reachedAtMs: number;
}

/** The present day: what came of which source, whether it counts for rankings or not. */
export interface Day extends Period {
  readonly bySource: Readonly<Partial<Record<Source, bigint>>>;
}

/** How often others have credited in one UTC day. */
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

/** The node and the session it runs or ran last. */
export interface Node {
  readonly status: 'idle' | 'active' | 'paused';
  readonly sessionId: string | null;
  readonly startedAtMs: number;
  /** Credited up to here; never moves back. */
  readonly lastAtMs: number;
  /** The node pauses here without a contact before (8 h after the last contact). */
  readonly leaseUntilMs: number;
  /** Remainder of the last accrual, in 1 / CARRY_UNIT micro-CORD; lives on from session to session. */
  readonly carry: bigint;
  readonly sessionMicro: bigint;
  /** Credited ms of this session. */
  readonly sessionMs: number;
  /** Credited ms of all sessions. */
  readonly ranMs: number;
  readonly firstStartedAtMs: number | null;
  /** Keyed hash of the address of the last contact; null where none counts (services/contracts/rules/README.md#network-check). */
  readonly addressHash: string | null;
  /** Credited time by the address of the contact before it, the latest last. Absent before the first. */
  readonly addresses?: readonly TimeAtAddress[];
  /** What the last node event carried of it; absent before the first. */
  readonly published?: { readonly atMs: number; readonly addressHash: string | null; readonly ranMs: number };
}

/** What the node has earned time for at one address. */
export interface TimeAtAddress {
  readonly hash: string;
  /** Credited ms of all sessions; only rises while the address stays among the last ones. */
  readonly ms: number;
  /** The node's time of all sessions when this count began. */
  readonly fromRanMs: number;
  /** Credited up to here. */
  readonly atMs: number;
}

/** What the rate is made of for this user, beside the epoch. */
export interface Factors {
  /** Creation of the Discord account: the tier follows from the exact age. 0 once erased. */
  readonly discordCreatedAtMs: number;
  readonly antiCheatHundredths: bigint;
  /** Version of the assessment in force; an older one changes nothing. */
  readonly antiCheatSeq: bigint;
  readonly badge: boolean;
}

/** Mined and credited, not yet an entry: one rate, one clock hour. */
interface OpenAccrual {
  readonly sinceMs: number;
  readonly amountMicro: bigint;
  /** nano-CORD per minute. */
  readonly rateNano: bigint;
  /** What the amount was made of at this rate: node time, ms, and the carry before it. Null where more than one rate is in it. */
  readonly made: { readonly ms: number; readonly carryBefore: bigint } | null;
}

/** Commission that was reported and is not an entry yet, of one clock hour. It stays open while other credits come. */
interface OpenCommission {
  readonly sinceMs: number;
  readonly amountMicro: bigint;
}

/** The epoch in force at the last settled mining, and what was mined in it. */
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
  /** Of mining what its amount was made of (services/contracts/proof/README.md); else nothing. */
  readonly facts: string;
  /** Over the hash of the entry before and all fields of this one, base64. */
  readonly hash: string;
}

/** A UTC day that is over, as the user's entries of it make it: its figures never change again. */
export interface FinishedDay {
  readonly userId: string;
  /** `2026-11-21` */
  readonly dayKey: string;
  readonly bySource: Readonly<Partial<Record<Source, bigint>>>;
  /** Credited node time, ms. */
  readonly ranMs: number;
}

/** What the relay has to carry out of the account. The seq of each item is its own within the account. */
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
      /** Node time of the present UTC day, all sessions. */
      readonly day: { readonly dayKey: string; readonly ms: number };
    };

export type NodeVerb = 'started' | 'paused' | 'stopped';

/**
 * A new account.
 * @param discordCreatedAtMs creation of the Discord account, which gives the tier
 * @param joinedAtMs when the user came, not after `nowMs`
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
