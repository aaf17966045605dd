import { REFERRER_BONUS_AFTER_MS, REFERRER_BONUS_MICRO } from '@cord/contracts/rules/bonuses';
import { isPending } from '@cord/kit/outbox/items';
import type { Found } from '../findings.js';
import { mostMined, type Rules } from '../ledger/rates.js';
import type { BucketDoc, FriendBooks, LedgerFacts } from './source.js';

/** Maximum difference between the clocks of the processes, ms. */
const SKEW_MS = 60_000;

type StoredLine = BucketDoc['lines'][string];

/** A friend's amounts for the referrer, as far as they are correct. */
export interface FriendAmounts {
  /** Counted in the friend's own record, micro-CORD. */
  countedMicro: bigint;
  /** Maximum amount in the ledger's report: the friend's earnings since the link, micro-CORD. */
  mostMicro: bigint;
}

/**
 * Checks one friend's record against the friend's ledger account and the line in the referrer's bucket.
 * @param line undefined when the bucket has none
 */
export function checkFriend(
  { member, account }: FriendBooks,
  line: StoredLine | undefined,
  rules: Rules,
  found: Found,
): FriendAmounts {
  const { _id, friend, againAt } = member;
  const none = { countedMicro: 0n, mostMicro: 0n };
  const wrong = (what: string, micro = 0n) => found.wrong(`friend ${_id}: ${what}`, micro);
  const running = account?.running === true;
  // A running node's earnings are published at most twice a minute, and the records follow every five minutes.
  const since = againAt ?? Math.max(account?.reachedAtMs ?? 0, running ? account.settledAtMs : 0);
  if (!friend) {
    wrong('the link has no record of the friend’s earnings');
    return none;
  }
  if (!account) {
    found.late(`friend ${_id} has no account`, friend.linkedAtMs);
    return none;
  }
  const { accountSeq, baselineMicro, eligibleMicro, countedMicro, heldMicro = 0n } = friend;
  const behindMicro = account.eligibleMicro - eligibleMicro;
  if (-behindMicro > (running ? unwrittenMost(account, rules, found) : 0n))
    wrong(`the record has ${eligibleMicro} earned, the ledger ${account.eligibleMicro}`, behindMicro);
  if (behindMicro > 0n) {
    const what = `the record has ${eligibleMicro} earned, the ledger ${account.eligibleMicro}`;
    // The record is at the account's version: nothing in transit can add the difference.
    if (running && accountSeq >= account.seq) wrong(`${what} at the same version`, behindMicro);
    else found.late(`friend ${_id}: ${what}`, since, behindMicro);
  }
  if (baselineMicro > eligibleMicro || countedMicro < 0n || heldMicro < 0n)
    wrong('an earned, counted or held amount is negative');
  const earnedMicro = eligibleMicro - baselineMicro;
  const isExcluded = friend.returned === true || friend.refused === true || friend.bonus === 'refused';
  if (isExcluded) {
    if (countedMicro > earnedMicro)
      wrong(`${countedMicro} of ${earnedMicro} earned counts`, countedMicro - earnedMicro);
  } else if (countedMicro + heldMicro !== earnedMicro)
    wrong(
      `${countedMicro} counts and ${heldMicro} is held, but ${earnedMicro} is earned`,
      countedMicro + heldMicro - earnedMicro,
    );
  checkLine(_id, { countedMicro, isExcluded, since }, line, found);
  return { countedMicro, mostMicro: max(countedMicro, account.eligibleMicro - baselineMicro) };
}

/** Returns what a running node can have mined since the last write, micro-CORD: its account may be read ahead of that write. */
function unwrittenMost({ factors, settledAtMs }: LedgerFacts, rules: Rules, { judgement }: Found): bigint {
  const untilMs = judgement.nowMs + SKEW_MS;
  return mostMined({ factors }, Math.max(0, untilMs - settledAtMs), untilMs, rules);
}

function checkLine(
  id: string,
  { countedMicro, isExcluded, since }: { countedMicro: bigint; isExcluded: boolean; since: number },
  line: StoredLine | undefined,
  found: Found,
): void {
  if (!line) {
    if (countedMicro > 0n || !isExcluded) found.late(`friend ${id} has no line in the bucket`, since, countedMicro);
    return;
  }
  if (line.c > countedMicro)
    found.wrong(`friend ${id}: the line counts ${line.c}, the record ${countedMicro}`, line.c - countedMicro);
  if (line.c < countedMicro)
    found.late(`friend ${id}: the line counts ${line.c}, the record ${countedMicro}`, since, countedMicro - line.c);
  if ((line.r === true) !== isExcluded) found.late(`friend ${id}: line and record differ in whether it counts`, since);
}

/**
 * Checks the referrer's 86 CORD for one friend: exactly one of entry, pending and parked credit once due, none before.
 * @param paidMicro in the referrer's ledger; undefined without an entry
 */
export function checkBonus(
  { member: { _id, friend, outbox = [], parked = [], dirtyAt = 0 } }: FriendBooks,
  referrer: { id: string; erased: boolean },
  paidMicro: bigint | undefined,
  found: Found,
): void {
  const key = `refwelcome:${referrer.id}:${_id}`;
  const isOwed = isPending({ outbox }, key);
  const isParked = parked.some((credit) => credit.key === key);
  const status = friend?.bonus ?? 'pending';
  const due = status === 'promised' || status === 'credited';
  if (paidMicro !== undefined && paidMicro !== REFERRER_BONUS_MICRO) found.sum(key, paidMicro, REFERRER_BONUS_MICRO);
  if (!due) {
    if (paidMicro !== undefined || isOwed || isParked)
      found.wrong(`${key} is ${status} and paid or owed`, REFERRER_BONUS_MICRO);
    return;
  }
  if ((friend?.ranMs ?? 0) < REFERRER_BONUS_AFTER_MS)
    found.wrong(`${key} is ${status} after ${friend?.ranMs} ms of node time`);
  if (paidMicro !== undefined && isParked) found.wrong(`${key} is parked and credited`, REFERRER_BONUS_MICRO);
  if (paidMicro !== undefined && isOwed) found.late(`${key} is pending and credited`, dirtyAt);
  if (paidMicro !== undefined || isOwed || isParked || referrer.erased) return;
  found.wrong(`${key} is ${status} and has no entry, no pending and no parked credit`, REFERRER_BONUS_MICRO);
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
