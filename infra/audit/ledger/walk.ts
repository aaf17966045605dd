import { RANKED_SOURCES, type Source } from '@cord/contracts/events/balance';
import { periodKeys } from '@cord/contracts/rules/days';
import type { AccountDoc, DayDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import type { Found } from '../findings.js';
import { type BySource, Chain, names, plus } from './chain.js';
import { EntryRules } from './entry-rules.js';
import { mostMined, type Rules } from './rates.js';
import { daysWaiting } from './waiting.js';

/** Maximum deviation of an entry's time, ms: replicas' clocks differ, and a late credit waits for its turn. */
const SKEW_MS = 3_600_000;
const RANKED: ReadonlySet<string> = new Set(RANKED_SOURCES);

/** Sums of a period's entries. */
export interface PeriodSum {
  micro: bigint;
  miningMicro: bigint;
  bySource: BySource;
}

/** Amounts mined in entries that certainly or possibly belong to a time span. */
interface Range {
  least: bigint;
  most: bigint;
}

const period = (): PeriodSum => ({ micro: 0n, miningMicro: 0n, bySource: {} });

/**
 * Walks the entries of one account in the order of their seq. It checks chain, keys, amounts and times, and sums them
 * by day, present week and month, session and epoch.
 */
export class Walk {
  readonly chain: Chain;
  /** Sums of the account's present day, week and month. */
  readonly day = period();
  readonly week = period();
  readonly month = period();
  readonly session: Range = { least: 0n, most: 0n };
  readonly epoch: Range = { least: 0n, most: 0n };
  readonly #entryRules: EntryRules;
  /** Finished days without an entry so far. */
  readonly #days: Map<string, DayDoc>;
  #dayKey = '';
  #dayBySource: BySource = {};
  /** Whether an entry of the hour in which the epoch was joined was seen: it may have begun before. */
  #joined = false;

  /** @param days finished days of the user */
  constructor(
    readonly account: AccountDoc,
    days: readonly DayDoc[],
    readonly found: Found,
    readonly rules: Rules,
  ) {
    this.#entryRules = new EntryRules(account, rules.books);
    const own = daysWaiting(account).map((day) => ({ ...day, _id: `${day.userId}:${day.dayKey}` }));
    this.#days = new Map([...days, ...own].map((day) => [day.dayKey, day]));
    this.chain = new Chain(account, found, (entry) => this.#take(entry));
  }

  /** Adds the next entry of the store. */
  add(entry: EntryDoc): void {
    this.chain.add(entry);
  }

  /** Ends the entries. */
  end(): void {
    this.chain.end();
    const present = this.account.totals.day.key;
    this.#closeDay(present);
    for (const [key, day] of this.#days) {
      if (key > present) this.found.wrong(`day ${key} is finished, but the account is in ${present}`);
      else if (Object.values(day.bySource).some((micro) => micro !== 0n))
        this.found.wrong(`day ${key} has sums but no entry`);
    }
  }

  #take(entry: EntryDoc): string | null {
    this.#inPeriods(entry);
    if (entry.source === 'mining') this.#mined(entry);
    return this.#entryRules.wrong(entry) ?? this.#wrongTime(entry);
  }

  #wrongTime({ atMs }: EntryDoc): string | null {
    const { openedAtMs, erasedAtMs } = this.account;
    if (atMs > this.found.judgement.nowMs + SKEW_MS) return `it is of ${new Date(atMs).toISOString()}, in the future`;
    if (atMs < openedAtMs - SKEW_MS) return 'it is older than the account';
    return erasedAtMs !== null && atMs > erasedAtMs + SKEW_MS ? 'it was made after the user was erased' : null;
  }

  #inPeriods({ source, amountMicro, atMs }: EntryDoc): void {
    const keys = periodKeys(atMs);
    const { day, week, month } = this.account.totals;
    // A day never goes back: late entries count in the day that had begun.
    if (keys.day > this.#dayKey) {
      this.#closeDay(keys.day);
      this.#dayKey = keys.day;
      this.#dayBySource = {};
    }
    plus(this.#dayBySource, source, amountMicro);
    if (this.#dayKey === day.key) count(this.day, source, amountMicro);
    if (keys.week === week.key) count(this.week, source, amountMicro);
    if (keys.month === month.key) count(this.month, source, amountMicro);
  }

  /** Checks that a finished day matches its entries. @param nextKey the day that has begun */
  #closeDay(nextKey: string): void {
    const key = this.#dayKey;
    if (key === '' || key >= nextKey || key >= this.account.totals.day.key) return;
    const day = this.#days.get(key);
    this.#days.delete(key);
    if (!day) {
      this.found.wrong(`day ${key} is over, but is missing from the finished days`);
      return;
    }
    for (const source of new Set([...names(day.bySource), ...names(this.#dayBySource)]))
      this.found.sum(`day ${key}: ${source}`, day.bySource[source] ?? 0n, this.#dayBySource[source] ?? 0n);
    const most = mostMined(this.account, day.ranMs, this.found.judgement.nowMs, this.rules);
    const mined = day.bySource.mining ?? 0n;
    if (mined > most)
      this.found.wrong(
        `day ${key}: ${mined} mined in ${day.ranMs} ms of node time, at most ${most} is possible`,
        mined - most,
      );
  }

  #mined({ amountMicro, atMs }: EntryDoc): void {
    const { node, epoch } = this.account;
    if (atMs >= node.startedAtMs) this.session.most += amountMicro;
    if (atMs > node.startedAtMs) this.session.least += amountMicro;
    if (atMs < (epoch.joinedAtMs ?? 0)) return;
    this.epoch.most += amountMicro;
    // At an unchanged rate, one entry covers the hour across the boundary of an epoch.
    if (this.#joined) this.epoch.least += amountMicro;
    this.#joined = true;
  }
}

function count(sum: PeriodSum, source: Source, micro: bigint): void {
  if (RANKED.has(source)) sum.micro += micro;
  if (source === 'mining') sum.miningMicro += micro;
  plus(sum.bySource, source, micro);
}
