import {
  COMPENSATION_MICRO,
  CORD_CLAIM_MICRO,
  CORRECTION_MICRO_MAX,
  checkinReward,
  largestCreditMicro,
  REFERRER_BONUS_MICRO,
} from '@cord/contracts/rules/bonuses';
import { DAY_MS, dayKey, dayStartOf, weekKey } from '@cord/contracts/rules/days';
import { type LedgerKey, readLedgerKey } from '@cord/contracts/rules/ledger-keys';
import { cord } from '@cord/contracts/rules/money';
import { bookAt, type RuleBook } from '@cord/contracts/rules/rule-book';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';

/** Minimum welcome credit: that of a new account. */
const WELCOME_LEAST_MICRO = cord(100);
/** Maximum delay of an entry after the day in its key, ms: the ledger accepts days up to 31 days old, and the entry may follow a day later. */
const LATE_MS_MAX = 32 * DAY_MS;
/** Maximum difference between the clocks of the processes, ms. */
const AHEAD_MS = 60_000;

/** Sources with a fixed amount. */
const FIXED: Readonly<Record<string, bigint>> = {
  compensation: COMPENSATION_MICRO,
  cordclaim: CORD_CLAIM_MICRO,
  refwelcome: REFERRER_BONUS_MICRO,
};

/**
 * Checks the entries of one account, in the order of their seq, against the key formats and the amounts that the
 * rules allow. It keeps one check-in and the welcome; memory does not grow with entries.
 */
export class EntryRules {
  #checkin: { dayKey: string; paid: StreakPaid } | null = null;
  #welcomeMicro: bigint | null = null;

  /** @param books the rule books, sorted by `fromMs` */
  constructor(
    readonly account: Pick<AccountDoc, 'factors' | 'openedAtMs' | 'joinedAtMs'>,
    readonly books: readonly RuleBook[],
  ) {}

  /** @returns the fault of an entry; null without one */
  wrong(entry: EntryDoc): string | null {
    const key = readLedgerKey(entry._id);
    if (!key) return 'its key is malformed';
    if (key.source !== entry.source) return `its key has source ${key.source}, the entry ${entry.source}`;
    if (key.userId !== entry.userId) return `its key belongs to ${key.userId}`;
    if (key.seq !== undefined && key.seq !== entry.seq) return `its key has seq ${key.seq}, the entry ${entry.seq}`;
    return this.#wrongTime(key, entry) ?? this.#wrongAmount(key, entry);
  }

  #wrongTime(key: LedgerKey, { atMs }: EntryDoc): string | null {
    if (key.dayKey !== undefined) {
      const lateMs = atMs - dayStartOf(key.dayKey);
      if (lateMs < -AHEAD_MS || lateMs > LATE_MS_MAX)
        return `its key has ${key.dayKey}, the entry is of ${dayKey(atMs)}`;
    }
    if (key.weekKey !== undefined && key.weekKey > weekKey(atMs + AHEAD_MS))
      return `its key has ${key.weekKey}, later than the entry`;
    // Numbered tasks open again a day after a claim.
    const { openedAtMs, joinedAtMs = openedAtMs } = this.account;
    const claimsMost = Math.floor((atMs - Math.min(joinedAtMs, openedAtMs)) / DAY_MS) + 3;
    return (key.claim ?? 0) > claimsMost
      ? `it is claim ${key.claim}, the account can have ${claimsMost} at most`
      : null;
  }

  #wrongAmount(key: LedgerKey, { amountMicro, balanceMicro, atMs }: EntryDoc): string | null {
    if (key.source === 'correction') return wrongCorrection(amountMicro, balanceMicro);
    if (amountMicro <= 0n) return `it pays ${amountMicro}`;
    const fixed = FIXED[key.source];
    if (fixed !== undefined && amountMicro !== fixed) return `it pays ${amountMicro}, expected ${fixed}`;
    if (key.source === 'checkin') return this.#wrongCheckin(key.dayKey ?? '', amountMicro);
    if (key.source === 'mining' || key.source === 'commission') return null;
    const mostMicro = largestCreditMicro(
      this.books,
      key.source,
      this.account.factors.discordCreatedAtMs,
      atMs + AHEAD_MS,
    );
    if (amountMicro > mostMicro) return `it pays ${amountMicro}, more than the ${mostMicro} for this account age`;
    if (key.source === 'welcome') {
      this.#welcomeMicro = amountMicro;
      if (amountMicro % cord(1) !== 0n || amountMicro < WELCOME_LEAST_MICRO)
        return `it pays ${amountMicro}, an amount for no account age`;
    }
    if (key.source === 'refbonus' && this.#welcomeMicro !== null && amountMicro !== this.#welcomeMicro / 10n)
      return `it pays ${amountMicro}, a tenth of the welcome is ${this.#welcomeMicro / 10n}`;
    return null;
  }

  /** Checks a check-in by the books of its day: the amount depends on the streak, which continues or restarts at 1. */
  #wrongCheckin(day: string, amountMicro: bigint): string | null {
    const paid = streakPaid(this.#booksOf(day), amountMicro);
    const before = this.#checkin;
    this.#checkin = { dayKey: day, paid: paid ?? { least: 1, most: 1 } };
    if (paid === null) return `it pays ${amountMicro}, an amount for no streak`;
    if (before === null) return paid.least === 1 ? null : `the first check-in pays a streak of ${paid.least}`;
    if (day <= before.dayKey) return `it comes after the check-in of ${before.dayKey}`;
    const follows = dayStartOf(day) - dayStartOf(before.dayKey) === DAY_MS;
    const goesOn = paid.least <= before.paid.most + 1 && paid.most >= before.paid.least + 1;
    if (goesOn || (paid.least === 1 && !follows)) return null;
    return `it pays a streak of ${paid.least}, the check-in of ${before.dayKey} was ${before.paid.least}`;
  }

  /** Returns the books in force on a UTC day, usually one. */
  #booksOf(day: string): readonly RuleBook[] {
    const startMs = dayStartOf(day);
    const later = this.books.filter(({ fromMs }) => fromMs > startMs && fromMs < startMs + DAY_MS);
    return [bookAt(this.books, startMs), ...later];
  }
}

/** Checks a correction: it may subtract, but never more than the balance. */
function wrongCorrection(amountMicro: bigint, balanceMicro: bigint): string | null {
  const sizeMicro = amountMicro < 0n ? -amountMicro : amountMicro;
  if (amountMicro === 0n || sizeMicro > CORRECTION_MICRO_MAX) return `it corrects by ${amountMicro}`;
  return balanceMicro < 0n ? `it takes the balance to ${balanceMicro}` : null;
}

/** The range of streak lengths with the same amount. */
interface StreakPaid {
  least: number;
  most: number;
}

/** Returns the streak lengths for which some of the books pay this amount; null for none. */
function streakPaid(books: readonly RuleBook[], amountMicro: bigint): StreakPaid | null {
  for (const book of books) {
    const { streakStepMicro, streakMostMicro } = book;
    const full = streakStepMicro === 0 ? 1 : Math.max(1, Math.ceil(streakMostMicro / streakStepMicro));
    for (let length = 1; length <= full; length += 1) {
      const { rewardMicro, bonusMicro } = checkinReward(book, length);
      if (rewardMicro + bonusMicro === amountMicro)
        return { least: length, most: length === full ? Number.POSITIVE_INFINITY : length };
    }
  }
  return null;
}
