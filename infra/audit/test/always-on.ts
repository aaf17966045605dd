import type { Source } from '@cord/contracts/events/balance';
import { checkinReward } from '@cord/contracts/rules/bonuses';
import { DAY_MS, dayKey, periodKeys } from '@cord/contracts/rules/days';
import { cord } from '@cord/contracts/rules/money';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { YEAR_MS } from '@cord/contracts/rules/tiers';
import { mongo } from 'mongoose';
import type { AccountDoc, DayDoc, EntryDoc, SessionDoc } from '../../../services/mining/store/collections.js';
import type { BooksSource, UserBooks } from '../store/source.js';
import { newChain, sealedBy } from './sealed.js';

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
/** Mined at 0.5 CORD a minute, at ten times the first tier. */
const HALF_HOUR_MS = HOUR_MS / 2;
const MINED_MICRO = cord(150);
const WELCOME_MICRO = cord(100 + 400 + 1_800);
const CODEC = { useBigInt64: true } as const;

type Made = Pick<EntryDoc, 'source' | 'amountMicro' | 'atMs'> & { key: (seq: bigint) => string };

/**
 * Generates the books of users whose nodes never stop: an entry of mining each half hour, a check-in each day. Every
 * document passes through the driver's format, so that reading costs as much as in production.
 * @param users number of users @param days number of whole UTC days from `startMs` on
 */
export function alwaysOn({ users, days, startMs }: { users: number; days: number; startMs: number }): BooksSource {
  const idOf = (n: number) => n.toString(16).padStart(32, '0');
  return {
    async *users() {
      for (let n = users - 1; n >= 0; n -= 1) yield booksOf(idOf(n), days, startMs);
    },
    user: async (userId) => booksOf(userId, days, startMs),
    seqOf: async (userId) => asRead(accountOf(userId, days, startMs)).seq,
    epochs: async () => null,
  };
}

function booksOf(userId: string, days: number, startMs: number): UserBooks {
  const account = accountOf(userId, days, startMs);
  return {
    userId,
    user: {
      ...USER,
      _id: userId,
      discordCreatedAtMs: startMs - 8 * YEAR_MS,
      joinedAtMs: startMs,
      onboarding: onboardingOf(userId),
    },
    erasure: null,
    assessment: null,
    record: null,
    streak: streakOf(userId, days, startMs),
    holder: null,
    member: null,
    account: asRead(account),
    corrections: [],
    days: [...daysOf(userId, days - 1, startMs)].map(asRead),
    sessions: sessionsOf(),
    entries: entriesOf(userId, days, startMs),
  } as unknown as UserBooks;
}

async function* sessionsOf(): AsyncGenerator<SessionDoc> {}

/** Yields entries sorted by seq, each as the driver would read it. */
async function* entriesOf(userId: string, days: number, startMs: number): AsyncGenerator<EntryDoc> {
  for (const { entry } of chained(userId, days, startMs)) yield asRead(entry);
}

/** Yields each entry, with the chain up to it. */
function* chained(userId: string, days: number, startMs: number) {
  let [seq, balanceMicro, chain] = [1n, 0n, newChain(userId)];
  for (const { source, amountMicro, atMs, key } of madeOf(userId, days, startMs)) {
    seq += 2n;
    balanceMicro += amountMicro;
    const made = {
      _id: key(seq),
      userId,
      seq,
      source,
      amountMicro,
      balanceMicro,
      atMs,
      reason: 'Mining at 5 CORD/min',
    };
    const next = sealedBy(chain, made);
    chain = next.chain;
    yield next;
  }
}

function* madeOf(userId: string, days: number, startMs: number): Generator<Made> {
  const of = (source: Source, amountMicro: bigint, atMs: number, key: (seq: bigint) => string): Made => ({
    source,
    amountMicro,
    atMs,
    key,
  });
  const bySeq = (source: Source) => (seq: bigint) => `${source}:${userId}:${seq}`;
  yield of('welcome', WELCOME_MICRO, startMs, () => `welcome:${userId}`);
  for (let day = 0; day < days; day += 1) {
    const fromMs = startMs + day * DAY_MS;
    yield of('checkin', checkinMicro(day), fromMs, () => `checkin:${userId}:${dayKey(fromMs)}`);
    for (let half = 1; half <= 2 * HOURS_A_DAY; half += 1)
      yield of('mining', MINED_MICRO, fromMs + half * HALF_HOUR_MS - 1, bySeq('mining'));
  }
}

function checkinMicro(day: number): bigint {
  const { rewardMicro, bonusMicro } = checkinReward(FIRST_BOOK, day + 1);
  return rewardMicro + bonusMicro;
}

function* daysOf(userId: string, days: number, startMs: number): Generator<DayDoc> {
  for (let day = 0; day < days; day += 1) {
    const key = dayKey(startMs + day * DAY_MS);
    yield { _id: `${userId}:${key}`, userId, dayKey: key, bySource: dayOf(day), ranMs: DAY_MS };
  }
}

const dayOf = (day: number) => ({
  checkin: checkinMicro(day),
  mining: MINED_MICRO * 48n,
  ...(day === 0 ? { welcome: WELCOME_MICRO } : {}),
});

function accountOf(userId: string, days: number, startMs: number): AccountDoc {
  const lastMs = startMs + days * DAY_MS - 1;
  const keys = periodKeys(lastMs);
  const sums = {
    all: 0n,
    seq: 1n,
    bySource: {} as Record<string, bigint>,
    week: 0n,
    month: 0n,
    weekMined: 0n,
    monthMined: 0n,
  };
  let chain = newChain(userId);
  for (const next of chained(userId, days, startMs)) {
    chain = next.chain;
    const { source, amountMicro, atMs } = next.entry;
    sums.seq += 2n;
    sums.all += amountMicro;
    sums.bySource[source] = (sums.bySource[source] ?? 0n) + amountMicro;
    const { week, month } = periodKeys(atMs);
    const ranked = source === 'welcome' ? 0n : amountMicro;
    if (week === keys.week) sums.week += ranked;
    if (month === keys.month) sums.month += ranked;
    if (week === keys.week && source === 'mining') sums.weekMined += amountMicro;
    if (month === keys.month && source === 'mining') sums.monthMined += amountMicro;
  }
  const { mining, checkin } = dayOf(days - 1);
  const period = { ranMs: DAY_MS * 31, reachedAtMs: lastMs };
  const ranMs = days * DAY_MS;
  return {
    _id: userId,
    seq: sums.seq + 1n,
    balanceMicro: sums.all,
    openedAtMs: startMs,
    erasedAtMs: null,
    totals: {
      allMicro: sums.all,
      allReachedAtMs: lastMs,
      day: {
        key: keys.day,
        micro: mining + checkin,
        miningMicro: mining,
        ranMs: DAY_MS,
        reachedAtMs: lastMs,
        bySource: dayOf(days - 1),
      },
      week: { ...period, key: keys.week, micro: sums.week, miningMicro: sums.weekMined },
      month: { ...period, key: keys.month, micro: sums.month, miningMicro: sums.monthMined },
      bySource: sums.bySource,
    },
    node: {
      status: 'active',
      sessionId: userId,
      startedAtMs: startMs,
      lastAtMs: lastMs,
      leaseUntilMs: lastMs + HOUR_MS,
      carry: 0n,
      sessionMicro: sums.bySource.mining ?? 0n,
      sessionMs: ranMs,
      ranMs,
      firstStartedAtMs: startMs,
      addressHash: null,
    },
    factors: { discordCreatedAtMs: startMs - 8 * YEAR_MS, antiCheatHundredths: 100n, antiCheatSeq: 0n, badge: false },
    open: { sinceMs: 0, amountMicro: 0n, rateNano: 0n, made: null },
    openCommission: { sinceMs: 0, amountMicro: 0n },
    epoch: { id: null, joinedAtMs: startMs, micro: sums.bySource.mining ?? 0n },
    chain,
    outbox: [],
    announceNextMs: 0,
  };
}

const USER = { username: 'always on', returning: false };

const onboardingOf = (userId: string) => ({
  ledgerOpened: true,
  welcomeKey: `welcome:${userId}`,
  welcomeMicro: WELCOME_MICRO,
  welcomeState: 'credited',
  dueAtMs: null,
});

function streakOf(userId: string, days: number, startMs: number) {
  const made = (day: number) => ({
    dayKey: dayKey(startMs + day * DAY_MS),
    streak: day + 1,
    ...checkinReward(FIRST_BOOK, day + 1),
  });
  const all = Array.from({ length: days }, (_, day) => day);
  return {
    _id: userId,
    seq: BigInt(days),
    streak: days,
    longestStreak: days,
    totalCheckIns: days,
    totalMicro: all.reduce((sum, day) => sum + checkinMicro(day), 0n),
    days: all.slice(-366).reverse().map(made),
  };
}

/** Returns a document as the driver reads it from the store. */
function asRead<D extends object>(document: D): D {
  return mongo.BSON.deserialize(mongo.BSON.serialize(document), CODEC) as D;
}
