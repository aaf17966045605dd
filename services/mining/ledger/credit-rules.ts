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
  /** Idempotency key, unique for ever, in the grammar of its source (`@cord/contracts/rules/ledger-keys`). */
  readonly key: string;
  readonly source: Source;
  readonly amountMicro: bigint;
  readonly reason: string;
}

/**
 * How old the day or week of a key may be when its credit comes, ms. A promise is made on the day that its key names, and is delivered
 * until the ledger has answered: this is longer than any outage. It need not be short: a day has one key for ever, so
 * that a stolen password gains at most the days that the user has not claimed, once, and no more of them in one day than DAY_LIMITS.
 */
const KEY_AGE_MS_MAX = 31 * DAY_MS;
/** How far a clock that takes part may be ahead of this one, ms; two of them differ by twice as much at the most. */
const AHEAD_MS = 5_000;

/** Refusals that no honest caller meets: each is counted, and an alert fires at the first. */
export const OUT_OF_RULE: readonly RefusalType[] = [
  'source-not-allowed',
  'amount-not-allowed',
  'key-not-allowed',
  'key-conflict',
  'day-limit',
];

/**
 * Whether this caller may ever make this credit: caller -> sources -> largest amount, and a key in the grammar of its source that
 * names this user. It does not depend on the time, so that a credit that stands is answered for ever.
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
 * Whether the account takes a new credit now: amount by the user's age, day, week or number of the key by the account's life, and what
 * the user's UTC day has taken of the source already.
 * @param account settled, in the day of `moment`
 * @throws LedgerRefusal for good `amount-not-allowed`, `key-not-allowed`; for now `key-early`, `day-limit`
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

/** What the UTC day of a time has taken of a source, micro-CORD. */
export function dayMicro({ totals: { day } }: Account, source: Source, nowMs: number): bigint {
  return day.key === dayKey(nowMs) ? (day.bySource[source] ?? 0n) : 0n;
}

/** The account with one more credit of a source in the UTC day of a time. */
export function withCredit(account: Account, source: Source, nowMs: number): Account['credited'] {
  const today = dayKey(nowMs);
  const before = account.credited?.dayKey === today ? account.credited.bySource : {};
  return { ...account.credited, dayKey: today, bySource: { ...before, [source]: (before[source] ?? 0) + 1 } };
}

function creditsOfDay({ credited }: Account, source: Source, nowMs: number): number {
  return credited?.dayKey === dayKey(nowMs) ? (credited.bySource[source] ?? 0) : 0;
}

/** What is added or taken off, micro-CORD. Only a correction may take anything off. */
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
 * Whether a key's day, week or number lies within the life of the user, and not further back than a caller can have waited. The life begins when the
 * user came, however long after it the account was opened here: what was promised meanwhile is credited.
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
  // The kind of task that is numbered opens again a day after a claim.
  const claimsMost = Math.floor((untilMs - sinceMs) / DAY_MS) + 1;
  if (before || claim > claimsMost) throw refuse('key-not-allowed', `${credit.key} is outside the user's life.`);
}
