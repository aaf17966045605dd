import { miningFacts } from '@cord/contracts/proof/chain';
import { ageTenths } from '@cord/contracts/rules/age';
import { hourStartMs, periodKeys } from '@cord/contracts/rules/days';
import { accrue, rateToNumber } from '@cord/contracts/rules/rate';
import { type Account, NO_COMMISSION, NOTHING_OPEN, type NodeVerb, type OutboxItem } from './account.js';
import { dayStart } from './account-time.js';
import { type RatedStretch, rateAt, stretches } from './accrual.js';
import { addTime } from './addresses.js';
import { LEDGER_BOUNDS, OUTBOX_RESERVE } from './bounds.js';
import type { DayLimits } from './credit-table.js';
import type { EpochTable } from './epochs.js';
import { refuse } from './refusal.js';
import { type Draft, sealed } from './sealing.js';
import type { SessionRecord } from './session-record.js';
import { addToTotals, emptyDay } from './totals.js';

/** The time of a step, with the epoch table and limits in use. */
export interface Moment {
  readonly nowMs: number;
  readonly epochs: EpochTable;
  /** Maximum number of outbox items; default LEDGER_BOUNDS.outbox. */
  readonly outboxMax?: number;
  /** Limits of a user's day by source; default DAY_LIMITS. */
  readonly dayLimits?: DayLimits;
}

/** Maximum number of outbox items of a finished day: itself, and the mining and commission open in it. */
const DAY_ITEMS = 3;

/**
 * Returns the room in the outbox. Finished days do not count: the calendar creates them, not a call, and a step that
 * cannot end the day could not continue.
 */
export function outboxRoom({ outbox }: Account, moment: Moment): number {
  const days = outbox.filter((item) => item.kind === 'day').length;
  return (moment.outboxMax ?? LEDGER_BOUNDS.outbox) + DAY_ITEMS * days - outbox.length;
}

const HOUR_MS = 3_600_000;

/** Minimum interval between balance.changed requests by mining alone, per user (services/mining/ledger/README.md#outbox-and-relay), ms. */
const ANNOUNCE_INTERVAL_MS = 29_000;

/**
 * Credits the node's earnings up to now, or to the end of its lease: elapsed = max(0, min(now, lease) - lastAt)
 * (services/mining/ledger/README.md#accrual). An expired lease pauses the node. Returns the same object when nothing changes.
 */
export function settle(account: Account, moment: Moment): Account {
  if (account.node.status !== 'active') return account;
  const endMs = Math.min(moment.nowMs, account.node.leaseUntilMs);
  let next = account;
  for (const stretch of stretches(account.node.lastAtMs, endMs, account.factors, moment.epochs)) {
    next = accrueStretch(endDayBefore(next, stretch.fromMs), stretch, moment);
  }
  return moment.nowMs >= account.node.leaseUntilMs ? pause(next, moment) : next;
}

/** Adds one span to `open`. Mining that is open at another rate or from another hour becomes an entry first. */
function accrueStretch(account: Account, stretch: RatedStretch, moment: Moment): Account {
  const before = mustClose(account, stretch, moment) ? closeOpen(account, moment) : account;
  const { node, open, epoch } = before;
  const ms = stretch.toMs - stretch.fromMs;
  const { micro, carry } = accrue({ rateNano: stretch.rateNano, ms, carry: node.carry });
  const sameEpoch = epoch.id === stretch.epochId;
  return {
    ...before,
    balanceMicro: before.balanceMicro + micro,
    totals: addToTotals(before.totals, {
      source: 'mining',
      amountMicro: micro,
      countsAtMs: stretch.fromMs,
      reachedAtMs: stretch.toMs,
      ranMs: ms,
    }),
    node: {
      ...node,
      carry,
      lastAtMs: stretch.toMs,
      sessionMicro: node.sessionMicro + micro,
      sessionMs: node.sessionMs + ms,
      ranMs: node.ranMs + ms,
      addresses: addTime(node, ms, stretch.toMs),
    },
    open: {
      ...open,
      sinceMs: open.amountMicro === 0n ? stretch.fromMs : open.sinceMs,
      amountMicro: open.amountMicro + micro,
      rateNano: stretch.rateNano,
      made: openFacts(before, stretch.rateNano, ms),
    },
    epoch: {
      ...epoch,
      id: stretch.epochId,
      joinedAtMs: sameEpoch ? (epoch.joinedAtMs ?? stretch.fromMs) : stretch.fromMs,
      micro: sameEpoch ? epoch.micro + micro : micro,
    },
  };
}

/** Returns the facts of open mining after more time at a rate; null when it has more than one rate. */
function openFacts({ open, node }: Account, rateNano: bigint, ms: number): Account['open']['made'] {
  if (open.amountMicro === 0n) return { ms, carryBefore: node.carry };
  return open.made && open.rateNano === rateNano ? { ...open.made, ms: open.made.ms + ms } : null;
}

function mustClose(account: Account, stretch: RatedStretch, moment: Moment): boolean {
  const { open } = account;
  if (open.amountMicro === 0n || outboxRoom(account, moment) <= OUTBOX_RESERVE) return false;
  return open.rateNano !== stretch.rateNano || hourStartMs(open.sinceMs) !== hourStartMs(stretch.fromMs);
}

/**
 * Turns open mining into one immutable entry. Without open mining, returns the same object.
 * @throws LedgerRefusal `outbox-full`
 */
export function closeOpen(account: Account, moment: Moment): Account {
  if (account.open.amountMicro === 0n) return account;
  refuseFullOutbox(account, moment);
  return closeMining(account);
}

/** Returns the time at which open mining was last earned, as in its future entry, ms since epoch. */
export function lastMinedMs(account: Account): number {
  // A late-written contact can extend a lease of a finished day: that time is counted and dated in the current day.
  return Math.max(dayStart(account), lastMsOf(account.open.sinceMs, account.node.lastAtMs));
}

function closeMining(account: Account): Account {
  const seq = account.seq + 1n;
  const { amountMicro, rateNano, made } = account.open;
  const closed = sealed(account, {
    key: `mining:${account.userId}:${seq}`,
    seq,
    source: 'mining',
    amountMicro,
    balanceMicro: account.balanceMicro - account.openCommission.amountMicro,
    atMs: lastMinedMs(account),
    reason: `Mining at ${rateToNumber(rateNano)} CORD/min`,
    facts: made ? miningFacts(rateNano, made.ms, made.carryBefore) : '',
  });
  return { ...closed, open: { ...account.open, ...NOTHING_OPEN } };
}

/** Returns whether open commission is from a finished hour. */
export function isCommissionOver({ openCommission: open }: Account, nowMs: number): boolean {
  return open.amountMicro > 0n && hourStartMs(nowMs) > open.sinceMs;
}

/**
 * Turns open commission into one immutable entry; without any, returns the same object. Open mining stays open. The
 * caller ensures the room in the outbox.
 */
export function closeCommission(account: Account, nowMs: number): Account {
  const { openCommission: open } = account;
  if (open.amountMicro === 0n) return account;
  const seq = account.seq + 1n;
  const closed = sealed(account, {
    key: `commission:${account.userId}:${seq}`,
    seq,
    source: 'commission',
    amountMicro: open.amountMicro,
    balanceMicro: account.balanceMicro - account.open.amountMicro,
    atMs: Math.min(nowMs, hourStartMs(open.sinceMs) + HOUR_MS - 1),
    reason: 'Referral commission',
    facts: '',
  });
  return { ...closed, openCommission: { ...open, ...NO_COMMISSION } };
}

/** Mining that is open up to the turn of an hour belongs to the finished hour: dated 1 ms before. */
function lastMsOf(sinceMs: number, untilMs: number): number {
  return untilMs > sinceMs && hourStartMs(untilMs) === untilMs ? untilMs - 1 : untilMs;
}

/**
 * Ends the account's current day before one begins at `ms`: open amounts become entries of that day, and the finished
 * day is added to the outbox once. Within a day, returns the same object.
 */
export function endDayBefore(account: Account, ms: number): Account {
  const { key: dayKey, bySource, ranMs } = account.totals.day;
  const nextKey = periodKeys(ms).day;
  if (nextKey <= dayKey || (ranMs === 0 && Object.keys(bySource).length === 0)) return account;
  const whole = closeCommission(account.open.amountMicro === 0n ? account : closeMining(account), ms);
  const seq = whole.seq + 1n;
  const key = `day:${account.userId}:${dayKey}`;
  const day = { userId: account.userId, dayKey, bySource, ranMs };
  const ended = append(whole, { kind: 'day', key, seq, day });
  return { ...ended, totals: { ...ended.totals, day: { ...ended.totals.day, ...emptyDay(nextKey, ms) } } };
}

/** Appends an item to the outbox. @throws LedgerRefusal `outbox-full` */
function pushItem(account: Account, item: OutboxItem, moment: Moment): Account {
  refuseFullOutbox(account, moment);
  return append(account, item);
}

/** Appends an entry. @throws LedgerRefusal `outbox-full` */
export function pushEntry(account: Account, draft: Draft, moment: Moment): Account {
  refuseFullOutbox(account, moment);
  return sealed(account, draft);
}

function refuseFullOutbox(account: Account, moment: Moment): void {
  if (outboxRoom(account, moment) > 0) return;
  throw refuse('outbox-full', 'Too much is waiting to be written. Try again.');
}

function append(account: Account, item: OutboxItem): Account {
  return { ...account, seq: item.seq, outbox: [...account.outbox, item] };
}

/**
 * Appends a node event with the current session; `started` for a running session publishes it once more.
 * @throws LedgerRefusal `outbox-full`
 */
export function pushNodeEvent(
  account: Account,
  verb: NodeVerb,
  moment: Moment,
  again = verb === 'started' && hasPublishedStart(account),
): Account {
  const session = sessionRecord(
    account,
    verb === 'started' ? 'active' : verb === 'paused' ? 'paused' : 'ended',
    moment,
  );
  const seq = account.seq + 1n;
  const { node } = account;
  const key = `node:${session.id}:${verb}${again ? `:${seq}` : ''}`;
  const { addresses = [] } = node;
  const day = { dayKey: account.totals.day.key, ms: account.totals.day.ranMs };
  const item = { kind: 'node', key, seq, verb, atMs: moment.nowMs, session, addresses, day } as const;
  const pushed = pushItem(account, item, moment);
  return {
    ...pushed,
    node: {
      ...node,
      published: { ...node.published, atMs: moment.nowMs, addressHash: node.addressHash, ranMs: node.ranMs },
    },
  };
}

function hasPublishedStart({ node: { published, startedAtMs } }: Account): boolean {
  return published !== undefined && published.atMs >= startedAtMs;
}

/** Pauses at the end of the lease. Amounts do not depend on it, so a full outbox only delays it. */
function pause(account: Account, moment: Moment): Account {
  if (outboxRoom(account, moment) < 2) return account;
  const paused = pushNodeEvent(closeOpen(account, moment), 'paused', moment);
  return { ...paused, node: { ...paused.node, status: 'paused' } };
}

/** Returns the current or last session as a record. The rate is that of its last credited moment. */
export function sessionRecord(account: Account, status: SessionRecord['status'], moment: Moment): SessionRecord {
  const { node, factors } = account;
  const rate = rateAt(factors, moment.epochs, node.lastAtMs);
  return {
    id: node.sessionId ?? '',
    userId: account.userId,
    status,
    startedAtMs: node.startedAtMs,
    endedAtMs: status === 'active' ? null : node.lastAtMs,
    creditedUntilMs: node.lastAtMs,
    leaseUntilMs: node.leaseUntilMs,
    earnedMicro: node.sessionMicro,
    sessionMs: node.sessionMs,
    ranMs: node.ranMs,
    addressHash: node.addressHash,
    rateNano: rate.rateNano,
    tierHundredths: rate.tierHundredths,
    antiCheatHundredths: factors.antiCheatHundredths,
    badge: factors.badge,
    epochHundredths: rate.epochHundredths,
    epochId: rate.epochId,
    ageTenths: ageTenths(factors.discordCreatedAtMs, node.lastAtMs),
  };
}

/**
 * Completes a step for the compare-and-set: raises seq and requests the announcement. `now` requests it at once
 * (credits, starts, stops); `sometimes` at most once per ANNOUNCE_INTERVAL_MS. Both use the one overwritten slot.
 */
export function seal(before: Account, next: Account, nowMs: number, announce: 'now' | 'sometimes'): Account {
  if (next === before) return before;
  const seq = next.seq + 1n;
  const changedNode = next.node.status !== before.node.status;
  const due = announce === 'now' || changedNode || nowMs >= before.announceNextMs;
  if (!due || next.erasedAtMs !== null) return { ...next, seq };
  return { ...next, seq, announceSeq: seq, announceNextMs: nowMs + ANNOUNCE_INTERVAL_MS };
}
