import type { Source } from '../events/balance.js';
import { dayKey, dayStartOf, weekKey, weekStartOf } from './days.js';

/**
 * The parts of a ledger entry's key. Every key begins with its source and names the account's user, so that two users or two
 * sources never share a key.
 */
export interface LedgerKey {
  readonly source: Source;
  /** Owner of the account. */
  readonly userId: string;
  /** `refwelcome`: the referred friend; never the user. */
  readonly friendId?: string;
  /** `checkin`: UTC day of the check-in, `2026-11-21`. */
  readonly dayKey?: string;
  /** `task`: id of the task. */
  readonly taskId?: string;
  /** `task` that reopens each ISO week: the week of the claim, `2026-W47`. */
  readonly weekKey?: string;
  /** `task` that reopens 24 hours after a claim: number of the claim, from 1. */
  readonly claim?: number;
  /** `correction`: id of the proposal. */
  readonly correctionId?: string;
  /** `mining`, `commission`: seq of the entry within the account. */
  readonly seq?: bigint;
}

type Parts = Omit<LedgerKey, 'source'>;

/** 128 random bits in hex: a user or a proposal. */
const ID = /^[0-9a-f]{32}$/;
const TASK = /^[a-z0-9][a-z0-9-]{0,63}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const WEEK = /^\d{4}-W\d\d$/;
/** No leading zero: one number has one form. */
const COUNT = /^[1-9]\d{0,5}$/;
const SEQ = /^[1-9]\d{0,18}$/;

const ofUser = ([userId, ...more]: string[]): Parts | null => (isId(userId) && more.length === 0 ? { userId } : null);

const ofEntry = ([userId, seq, ...more]: string[]): Parts | null =>
  isId(userId) && SEQ.test(seq ?? '') && more.length === 0 ? { userId, seq: BigInt(seq ?? '') } : null;

/** Grammar of each source's keys after `<source>:`. */
const GRAMMAR: Readonly<Record<Source, (parts: string[]) => Parts | null>> = {
  /** `mining:<user>:<seq>` */
  mining: ofEntry,
  /** `commission:<user>:<seq>` */
  commission: ofEntry,
  /** `welcome:<user>` */
  welcome: ofUser,
  /** `refbonus:<user>` */
  refbonus: ofUser,
  /** `compensation:<user>` */
  compensation: ofUser,
  /** `cordclaim:<user>` */
  cordclaim: ofUser,
  /** `refwelcome:<user>:<friend>` */
  refwelcome([userId, friendId, ...more]) {
    if (!isId(userId) || !isId(friendId) || userId === friendId || more.length > 0) return null;
    return { userId, friendId };
  },
  /** `correction:<user>:<id of the proposal>` */
  correction([userId, correctionId, ...more]) {
    return isId(userId) && isId(correctionId) && more.length === 0 ? { userId, correctionId } : null;
  },
  /** `checkin:<user>:<UTC day>` */
  checkin([userId, day, ...more]) {
    return isId(userId) && isDay(day) && more.length === 0 ? { userId, dayKey: day } : null;
  },
  /** `task:<task>:<user>:<once | number of the claim | ISO week>` */
  task([taskId, userId, period, ...more]) {
    if (taskId === undefined || !TASK.test(taskId) || !isId(userId) || more.length > 0) return null;
    if (period === 'once') return { userId, taskId };
    if (isWeek(period)) return { userId, taskId, weekKey: period };
    return period !== undefined && COUNT.test(period) ? { userId, taskId, claim: Number(period) } : null;
  },
};

/**
 * Parses a ledger entry's key by the grammar of its source.
 * @returns null for a text that is no key of any source
 */
export function readLedgerKey(key: string): LedgerKey | null {
  const [source = '', ...parts] = key.split(':');
  if (!Object.hasOwn(GRAMMAR, source)) return null;
  const read = GRAMMAR[source as Source](parts);
  return read && { source: source as Source, ...read };
}

function isId(text: string | undefined): text is string {
  return text !== undefined && ID.test(text);
}

/** Whether the text is a calendar day: 30 February is not. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || !DAY.test(text)) return false;
  const startMs = dayStartOf(text);
  return !Number.isNaN(startMs) && dayKey(startMs) === text;
}

/** Whether the year has this week. */
function isWeek(text: string | undefined): text is string {
  return text !== undefined && WEEK.test(text) && weekKey(weekStartOf(text)) === text;
}
