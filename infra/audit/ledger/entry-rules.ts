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

/** A new account's welcome. */
const WELCOME_LEAST_MICRO = cord(100);
/** The ledger takes a key whose day is up to 31 days old; its entry may be a day later, ms. */
const LATE_MS_MAX = 32 * DAY_MS;
/** Clocks of those who take part differ by less than this, ms. */
const AHEAD_MS = 60_000;

/** Sources that pay one amount. */
const FIXED: Readonly<Record<string, bigint>> = {
  compensation: COMPENSATION_MICRO,
  cordclaim: CORD_CLAIM_MICRO,
  refwelcome: REFERRER_BONUS_MICRO,
};

/**
 * Holds the entries of one account, in the order of their seq, against the grammar of keys and the amounts that the rules give. It keeps one
 * check-in and the welcome; memory does not grow with entries.
 */
export class EntryRules {
  #checkin: { dayKey: string; paid: StreakPaid } | null = null;
  #welcomeMicro: bigint | null = null;

  /** @param books the rules, by rising `fromMs` */
  constructor(
    readonly account: Pick<AccountDoc, 'factors' | 'openedAtMs' | 'joinedAtMs'>,
    readonly books: readonly RuleBook[],
  ) {}

  /** @returns what is wrong with the entry; null where it fits */
  wrong(entry: EntryDoc): string | null {
    const key = readLedgerKey(entry._id);
    if (!key) return 'its key has no grammar';
    if (key.source !== entry.source) return `its key is one of ${key.source}, its source ${entry.source}`;
    if (key.userId !== entry.userId) return `its key names ${key.userId}`;
    if (key.seq !== undefined && key.seq !== entry.seq) return `its key has seq ${key.seq}, it has ${entry.seq}`;
    return this.#wrongTime(key, entry) ?? this.#wrongAmount(key, entry);
  }

  #wrongTime(key: LedgerKey, { atMs }: EntryDoc): string | null {
    if (key.dayKey !== undefined) {
      const lateMs = atMs - dayStartOf(key.dayKey);
      if (lateMs < -AHEAD_MS || lateMs > LATE_MS_MAX) return `its key has ${key.dayKey}, it is of ${dayKey(atMs)}`;
    }
    if (key.weekKey !== undefined && key.weekKey > weekKey(atMs + AHEAD_MS))
      return `its key has ${key.weekKey}, later than itself`;
    // The kind of task that is numbered opens again a day after a claim.
    const { openedAtMs, joinedAtMs = openedAtMs } = this.account;
    const claimsMost = Math.floor((atMs - Math.min(joinedAtMs, openedAtMs)) / DAY_MS) + 3;
    return (key.claim ?? 0) > claimsMost
      ? `it is claim ${key.claim} of an account that can have made ${claimsMost}`
      : null;
  }

  #wrongAmount(key: LedgerKey, { amountMicro, balanceMicro, atMs }: EntryDoc): string | null {
    if (key.source === 'correction') return wrongCorrection(amountMicro, balanceMicro);
    if (amountMicro <= 0n) return `it pays ${amountMicro}`;
    const fixed = FIXED[key.source];
    if (fixed !== undefined && amountMicro !== fixed) return `it pays ${amountMicro}, due is ${fixed}`;
    if (key.source === 'checkin') return this.#wrongCheckin(key.dayKey ?? '', amountMicro);
    if (key.source === 'mining' || key.source === 'commission') return null;
    const mostMicro = largestCreditMicro(
      this.books,
      key.source,
      this.account.factors.discordCreatedAtMs,
      atMs + AHEAD_MS,
    );
    if (amountMicro > mostMicro) return `it pays ${amountMicro}, the age of the account allows ${mostMicro}`;
    if (key.source === 'welcome') {
      this.#welcomeMicro = amountMicro;
      if (amountMicro % cord(1) !== 0n || amountMicro < WELCOME_LEAST_MICRO)
        return `it pays ${amountMicro}, which no account age gives`;
    }
    if (key.source === 'refbonus' && this.#welcomeMicro !== null && amountMicro !== this.#welcomeMicro / 10n)
      return `it pays ${amountMicro}, a tenth of the welcome is ${this.#welcomeMicro / 10n}`;
    return null;
  }

  /** By a book of the day: its amount and more for each day of the streak, which begins anew at 1 or goes on. */
  #wrongCheckin(day: string, amountMicro: bigint): string | null {
    const paid = streakPaid(this.#booksOf(day), amountMicro);
    const before = this.#checkin;
    this.#checkin = { dayKey: day, paid: paid ?? { least: 1, most: 1 } };
    if (paid === null) return `it pays ${amountMicro}, which no streak gives`;
    if (before === null) return paid.least === 1 ? null : `the first check-in pays a streak of ${paid.least}`;
    if (day <= before.dayKey) return `it comes after the check-in of ${before.dayKey}`;
    const follows = dayStartOf(day) - dayStartOf(before.dayKey) === DAY_MS;
    const goesOn = paid.least <= before.paid.most + 1 && paid.most >= before.paid.least + 1;
    if (goesOn || (paid.least === 1 && !follows)) return null;
    return `it pays a streak of ${paid.least}, the check-in of ${before.dayKey} was ${before.paid.least}`;
  }

  /** Of a UTC day: most have one. */
  #booksOf(day: string): readonly RuleBook[] {
    const startMs = dayStartOf(day);
    const later = this.books.filter(({ fromMs }) => fromMs > startMs && fromMs < startMs + DAY_MS);
    return [bookAt(this.books, startMs), ...later];
  }
}

/** A correction may take off, and never more than there is. */
function wrongCorrection(amountMicro: bigint, balanceMicro: bigint): string | null {
  const sizeMicro = amountMicro < 0n ? -amountMicro : amountMicro;
  if (amountMicro === 0n || sizeMicro > CORRECTION_MICRO_MAX) return `it corrects by ${amountMicro}`;
  return balanceMicro < 0n ? `it takes the balance to ${balanceMicro}` : null;
}

/** The lengths of streaks that one amount pays. */
interface StreakPaid {
  least: number;
  most: number;
}

/** The streaks that a check-in of this amount pays by any of some books; null for an amount that none pays. */
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
