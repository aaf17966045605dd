import type { LeaderboardEntry, Period } from '@cord/contracts/http/leaderboard';
import { PERIODS, type PeriodKeys, periodKeys } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import { type Miner, newMiner, type RankedAccount, standingIn, takeAccount, toEntry } from './miner.js';
import { NameIndex } from './names.js';
import { type Place, Ranking } from './ranking.js';
import { Sum } from './sum.js';

/** A user's name and picture, from auth. */
export interface Profile {
  username: string;
  avatar: string | null;
  discordCreatedAtMs: number;
}

/** Public sums (spec part 3, Leaderboard stats and Global stats). */
export interface BoardStats {
  totalMiners: number;
  activeMiners: number;
  /** CORD. */
  totalEarned: number;
  /** CORD from mining alone. */
  totalMined: number;
}

/** A miner and the places in the rankings. */
class Held {
  readonly places: (Place<Held> | undefined)[] = [undefined, undefined, undefined, undefined];
  constructor(readonly miner: Miner) {}

  get userId(): string {
    return this.miner.userId;
  }
}

/** Entries on each side of the own one. */
const NEIGHBOURS = 2;
/** How long the count of live leases may be reused, ms. */
const ACTIVE_COUNT_MS = 1_000;

/**
 * The whole of the rankings in memory, one for each replica (design.md, Events).
 * Changes are applied by highest seq, so duplicates and reordering are harmless.
 */
export class Board {
  readonly #held = new Map<string, Held>();
  readonly #erased = new Set<string>();
  readonly #active = new Set<Miner>();
  readonly #names = new NameIndex();
  readonly #rankings: Readonly<Record<Period, Ranking<Held>>> = {
    'all-time': new Ranking(0),
    monthly: new Ranking(1),
    weekly: new Ranking(2),
    daily: new Ranking(3),
  };
  #keys: PeriodKeys;
  readonly #totalMicro = new Sum();
  #filling = false;
  readonly #minedMicro = new Sum();
  #activeCount = { atMs: Number.NEGATIVE_INFINITY, count: 0 };

  constructor(nowMs: number) {
    this.#keys = periodKeys(nowMs);
  }

  /** Users that it knows. */
  get size(): number {
    return this.#held.size;
  }

  /** Whether a user is known, ranked or not. */
  has(userId: string): boolean {
    return this.#held.has(userId);
  }

  /**
   * Takes over a ledger account, unless a newer one is known.
   * @returns whether it shows by that a credit beside what the node earned; of what it is filled with, never
   */
  applyAccount(userId: string, seq: number, state: RankedAccount): boolean {
    if (this.#erased.has(userId)) return false;
    const held = this.#heldOf(userId);
    const { miner } = held;
    if (seq <= miner.accountSeq) return false;
    const before = miner.totalMicro - miner.miningMicro;
    this.#count(miner, -1);
    takeAccount(miner, seq, state);
    this.#count(miner, 1);
    if (this.#filling) return false;
    for (const period of PERIODS) this.#rankings[period].set(held, standingIn(miner, period, this.#keys));
    return miner.totalMicro - miner.miningMicro > before;
  }

  /**
   * Takes over accounts without ranking them until the work is done, then ranks all at once: of a million accounts a
   * sort costs much less than a million insertions. Nobody may read meanwhile.
   */
  async fill<R>(work: () => Promise<R>): Promise<R> {
    this.#filling = true;
    try {
      return await work();
    } finally {
      this.#filling = false;
      this.#loadRankings(PERIODS);
    }
  }

  /** Takes over a profile, unless a newer one is known. */
  applyProfile(userId: string, seq: number, profile: Profile): void {
    if (this.#erased.has(userId)) return;
    const { miner } = this.#heldOf(userId);
    if (seq <= miner.profileSeq) return;
    const searchName = profile.username.toLowerCase();
    this.#names.set(userId, miner.searchName ?? null, searchName);
    Object.assign(miner, profile, { profileSeq: seq, searchName });
  }

  applyBadge(userId: string): void {
    if (!this.#erased.has(userId)) this.#heldOf(userId).miner.badge = true;
  }

  /** The user is gone from every ranking, whatever else arrives (money.md, Erasure). */
  erase(userId: string): void {
    this.#erased.add(userId);
    const held = this.#held.get(userId);
    if (!held) return;
    this.#count(held.miner, -1);
    for (const period of PERIODS) this.#rankings[period].remove(held);
    this.#names.set(userId, held.miner.searchName ?? null, null);
    this.#held.delete(userId);
  }

  /** Begins the present day, week and month; call it before reading. */
  rollTo(nowMs: number): void {
    const keys = periodKeys(nowMs);
    const { day, week, month } = this.#keys;
    if (keys.day === day) return;
    this.#keys = keys;
    // On most days only the day turns: the others stand as they are.
    this.#loadRankings([
      'daily',
      ...(keys.week === week ? [] : (['weekly'] as const)),
      ...(keys.month === month ? [] : (['monthly'] as const)),
    ]);
  }

  /** Takes over stored miners, and who must not come back, into a board that does not have them; within `fill`. */
  load(miners: Iterable<Miner>, erased: Iterable<string> = []): void {
    for (const userId of erased) this.#erased.add(userId);
    for (const miner of miners) {
      miner.searchName = miner.username?.toLowerCase() ?? null;
      this.#names.set(miner.userId, null, miner.searchName);
      this.#held.set(miner.userId, new Held(miner));
      this.#count(miner, 1);
    }
  }

  /** Every miner, for a snapshot. */
  *miners(): Generator<Miner> {
    for (const { miner } of this.#held.values()) yield miner;
  }

  /** Users who must not come back, for a snapshot. */
  erased(): IterableIterator<string> {
    return this.#erased.values();
  }

  /** All-time rank; null while unranked. */
  rankOf(userId: string, period: Period = 'all-time'): number | null {
    const held = this.#held.get(userId);
    return held ? this.#rankings[period].rankOf(held) : null;
  }

  /** The first `limit` of a ranking. */
  top(period: Period, limit: number, nowMs: number): LeaderboardEntry[] {
    return this.#entries(this.#rankings[period].slice(1, limit), 1, period, nowMs);
  }

  /** How many are ranked in a period. */
  ranked(period: Period): number {
    return this.#rankings[period].size;
  }

  /**
   * The ids of those on `count` ranks from rank `from` on whose name holds a text.
   * @param wanted in lower case
   */
  named(wanted: string, period: Period, from: number, count: number): string[] {
    const ids: string[] = [];
    for (const { userId, ranked } of this.#rankings[period].slice(from, count))
      if (ranked.miner.searchName?.includes(wanted)) ids.push(userId);
    return ids;
  }

  /** Those who may hold a text in their name, in no order: see NameIndex.sharing. */
  sharing(wanted: string): readonly string[] | null {
    return this.#names.sharing(wanted);
  }

  /** Those of some users whose name holds a text, with their ranks; who is unranked is left out. */
  namedOf(userIds: readonly string[], wanted: string, period: Period): { userId: string; rank: number }[] {
    return userIds.flatMap((userId) => {
      const held = this.#held.get(userId);
      if (!held?.miner.searchName?.includes(wanted)) return [];
      const rank = this.#rankings[period].rankOf(held);
      return rank === null ? [] : [{ userId, rank }];
    });
  }

  /** The entries of users, by rank; who is unranked is left out. */
  entriesOf(userIds: Iterable<string>, period: Period, nowMs: number): LeaderboardEntry[] {
    const entries: LeaderboardEntry[] = [];
    for (const userId of userIds) {
      const held = this.#held.get(userId);
      const rank = held ? this.#rankings[period].rankOf(held) : null;
      if (held && rank !== null) entries.push(toEntry(held.miner, rank, period, this.#keys, nowMs));
    }
    return entries.sort((a, b) => a.rank - b.rank);
  }

  /** The own entry with those around it; null while unranked. */
  around(
    userId: string,
    period: Period,
    nowMs: number,
  ): { entry: LeaderboardEntry | null; neighbours: LeaderboardEntry[] } {
    const rank = this.rankOf(userId, period);
    if (rank === null) return { entry: null, neighbours: [] };
    const from = Math.max(1, rank - NEIGHBOURS);
    const near = this.#rankings[period].slice(from, rank + NEIGHBOURS - from + 1);
    const neighbours = this.#entries(near, from, period, nowMs);
    return { entry: neighbours[rank - from] ?? null, neighbours };
  }

  stats(nowMs: number): BoardStats {
    return {
      totalMiners: this.#rankings['all-time'].size,
      activeMiners: this.#countActive(nowMs),
      totalEarned: microToNumber(this.#totalMicro.value),
      totalMined: microToNumber(this.#minedMicro.value),
    };
  }

  #entries(places: readonly Place<Held>[], firstRank: number, period: Period, nowMs: number): LeaderboardEntry[] {
    return places.map(({ ranked }, index) => toEntry(ranked.miner, firstRank + index, period, this.#keys, nowMs));
  }

  #heldOf(userId: string): Held {
    let held = this.#held.get(userId);
    if (!held) {
      held = new Held(newMiner(userId));
      this.#held.set(userId, held);
    }
    return held;
  }

  /** Adds a miner to the sums, or takes the miner out before a change. */
  #count(miner: Miner, sign: 1 | -1): void {
    this.#totalMicro.add(sign * miner.totalMicro);
    this.#minedMicro.add(sign * miner.miningMicro);
    if (sign === 1 && miner.activeUntilMs > 0) this.#active.add(miner);
    else this.#active.delete(miner);
  }

  #countActive(nowMs: number): number {
    const ageMs = nowMs - this.#activeCount.atMs;
    if (ageMs >= 0 && ageMs < ACTIVE_COUNT_MS) return this.#activeCount.count;
    let count = 0;
    for (const miner of this.#active) if (miner.activeUntilMs > nowMs) count += 1;
    this.#activeCount = { atMs: nowMs, count };
    return count;
  }

  #loadRankings(periods: readonly Period[]): void {
    for (const period of periods)
      this.#rankings[period].load(this.#held.values(), ({ miner }) => standingIn(miner, period, this.#keys));
  }
}
