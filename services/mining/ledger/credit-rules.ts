import type { ServiceName } from '@cord/contracts/endpoint';
import type { Source } from '@cord/contracts/events/balance';
import { largestCreditMicro } from '@cord/contracts/rules/bonuses';
import { DAY_MS, dayKey, weekKey } from '@cord/contracts/rules/days';
import { type LedgerKey, readLedgerKey } from '@cord/contracts/rules/ledger-keys';
import type { Account } from './account.js';
import { CREDIT_TABLE, DAY_LIMITS } from './credit-table.js';
import { type RefusalType, refuse } from './refusal.js';
import type { Moment } from './settle.js';

/** One credit as the caller has stored it. */
export interface Credit {
  readonly userId: string;
  /** Idempotency key, unique forever, in the grammar of its source (`@cord/contracts/rules/ledger-keys`). */
  readonly key: string;
  readonly source: Source;
  readonly amountMicro: bigint;
  readonly reason: string;
}

/**
 * Maximum age of the day or week in a key, ms. A credit is promised on the day in its key and retried until the ledger
 * responds, so this exceeds any outage. A short limit is unnecessary: a day has one key forever. A stolen password
 * gains at most the user's unclaimed days, once, and per day no more than DAY_LIMITS.
 */
const KEY_AGE_MS_MAX = 31 * DAY_MS;
/** Maximum lead of a participating clock over this one, ms; two clocks differ by at most twice as much. */
const AHEAD_MS = 5_000;

/** Refusals that an honest caller never causes. Each is counted, and the first one raises an alert. */
export const OUT_OF_RULE: readonly RefusalType[] = [
  'source-not-allowed',
  'amount-not-allowed',
  'key-not-allowed',
  'key-conflict',
  'day-limit',
];

/**
 * Checks that this caller may ever make this credit: caller -> sources -> largest amount, and a key in the grammar of
 * its source that names this user. It does not depend on the time, so a stored credit can be replayed forever.
 * @throws LedgerRefusal `source-not-allowed`, `amount-not-allowed`, `key-not-allowed`
 */
export function assertAllowed(caller: string, credit: Credit): void {
  const mostMicro = CREDIT_TABLE[caller as ServiceName]?.[credit.source];
  if (mostMicro === undefined) throw refuse('source-not-allowed', `${caller} may not credit ${credit.source}.`);
  if (credit.amountMicro <= 0n || credit.amountMicro > mostMicro) {
    throw refuse('amount-not-allowed', `${caller} may credit ${credit.source} above 0 and up to ${mostMicro}.`);
  }
  keyOf(credit);
}

/**
 * Checks that the account accepts a new credit now: amount by the user's age; day, week or number of the key by the
 * account's lifetime; and the day's limit of the source.
 * @param account settled, in the day of `moment`
 * @throws LedgerRefusal permanent `amount-not-allowed`, `key-not-allowed`; temporary `key-early`, `day-limit`
 */
export function assertFits(account: Account, credit: Credit, moment: Moment): void {
  const { source, amountMicro } = credit;
  const { discordCreatedAtMs } = account.factors;
  const { books } = moment.epochs;
  if (
    isKeyed(source) &&
    sizeOf(credit) > largestCreditMicro(books, source, discordCreatedAtMs, moment.nowMs + 2 * AHEAD_MS)
  ) {
    throw refuse('amount-not-allowed', `${source} of ${amountMicro} is above what the rules and the user's age allow.`);
  }
  assertInLife(account, credit, moment.nowMs);
  const limit = (moment.dayLimits ?? DAY_LIMITS)[source];
  if (limit === undefined) return;
  const above = dayMicro(account, source, moment.nowMs) + amountMicro > limit.micro;
  if (above || creditsOfDay(account, source, moment.nowMs) >= (limit.credits ?? Number.POSITIVE_INFINITY)) {
    throw refuse('day-limit', `The user's daily limit for ${source} is reached.`);
  }
}

/** Returns the amount credited from a source in the UTC day of a time, micro-CORD. */
export function dayMicro({ totals: { day } }: Account, source: Source, nowMs: number): bigint {
  return day.key === dayKey(nowMs) ? (day.bySource[source] ?? 0n) : 0n;
}

/** Returns the day's counts with one more credit of a source. */
export function withCredit(account: Account, source: Source, nowMs: number): Account['credited'] {
  const today = dayKey(nowMs);
  const before = account.credited?.dayKey === today ? account.credited.bySource : {};
  return { ...account.credited, dayKey: today, bySource: { ...before, [source]: (before[source] ?? 0) + 1 } };
}

function creditsOfDay({ credited }: Account, source: Source, nowMs: number): number {
  return credited?.dayKey === dayKey(nowMs) ? (credited.bySource[source] ?? 0) : 0;
}

/** Absolute amount, micro-CORD. Only a correction may be negative. */
function sizeOf({ amountMicro }: Credit): bigint {
  return amountMicro < 0n ? -amountMicro : amountMicro;
}

function isKeyed(source: Source): source is Parameters<typeof largestCreditMicro>[1] {
  return source !== 'mining' && source !== 'commission';
}

function keyOf(credit: Credit): LedgerKey {
  const key = readLedgerKey(credit.key);
  if (key?.source === credit.source && key.userId === credit.userId) return key;
  throw refuse('key-not-allowed', `${credit.key} is not a valid ${credit.source} key for this user.`);
}

/**
 * Checks that a key's day, week or number is within the user's lifetime and not older than a caller may retry. The
 * lifetime begins when the user joined, even if the account was opened later: promises made in between are credited.
 */
function assertInLife({ openedAtMs, joinedAtMs = openedAtMs }: Account, credit: Credit, nowMs: number): void {
  const { dayKey: day, weekKey: week, claim = 0 } = keyOf(credit);
  const sinceMs = Math.min(joinedAtMs, openedAtMs) - 2 * AHEAD_MS;
  const fromMs = Math.max(sinceMs, nowMs - KEY_AGE_MS_MAX);
  const untilMs = nowMs + AHEAD_MS;
  if ((day ?? '') > dayKey(untilMs) || (week ?? '') > weekKey(untilMs)) {
    throw refuse('key-early', `${credit.key} names a day in the future.`);
  }
  const before = (day !== undefined && day < dayKey(fromMs)) || (week !== undefined && week < weekKey(fromMs));
  // Numbered tasks open again one day after a claim.
  const claimsMost = Math.floor((untilMs - sinceMs) / DAY_MS) + 1;
  if (before || claim > claimsMost) throw refuse('key-not-allowed', `${credit.key} is outside the user's life.`);
}
