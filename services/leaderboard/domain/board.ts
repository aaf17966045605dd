import type { LeaderboardEntry, Period } from '@cord/contracts/http/leaderboard';
import { PERIODS, type PeriodKeys, periodKeys } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Rules } from '@cord/kit/rules';
import { type Piece, readPiece, writePiece } from './columns.js';
import { Crowd } from './crowd.js';
import { type Miner, publicFacts, type RankCard, type RankedAccount, type Shown, toEntry } from './miner.js';
import { NameIndex } from './names.js';
import { Ranking } from './ranking.js';
import { Sum } from './sum.js';

/** A user's name and picture, from auth. */
export interface Profile {
  username: string;
  avatar: string | null;
  discordCreatedAtMs: number;
}

/** Public sums. */
interface BoardStats {
  totalMiners: number;
  activeMiners: number;
  /** CORD. */
  totalEarned: number;
  /** CORD from mining alone. */
  totalMined: number;
}

/** Entries on each side of the own one. */
const NEIGHBOURS = 2;
/** How long the count of live leases may be reused, ms. */
const ACTIVE_COUNT_MS = 1_000;

/**
 * The whole of the rankings in memory, one for each replica (services/README.md#events).
 * Changes are applied by highest seq, so duplicates and reordering are harmless.
 */
export class Board {
  readonly #crowd = new Crowd();
  readonly #erased = new Set<string>();
  readonly #names = new NameIndex();
  readonly #rankings = Object.fromEntries(
    PERIODS.map((period) => [period, new Ranking((slot) => this.#crowd.userIdAt(slot))]),
  ) as Readonly<Record<Period, Ranking>>;
  #keys: PeriodKeys;
  readonly #totalMicro = new Sum();
  #filling = false;
  readonly #minedMicro = new Sum();
  #activeCount = { atMs: Number.NEGATIVE_INFINITY, count: 0 };

  readonly #bookAt: Rules['book'];

  /** @param bookAt the rule book of a time, for multipliers */
  constructor(nowMs: number, bookAt: Rules['book']) {
    this.#bookAt = bookAt;
    this.#keys = periodKeys(nowMs);
  }

  /** Users that it holds. */
  get size(): number {
    return this.#crowd.size;
  }

  /** Whether a user is known, ranked or not. */
  has(userId: string): boolean {
    return this.#crowd.slotOf(userId) !== undefined;
  }

  /**
   * Takes over a ledger account, unless a newer one is known.
   * @returns whether it shows by that a credit beside what the node earned; of what it is filled with, never
   */
  applyAccount(userId: string, seq: number, state: RankedAccount): boolean {
    if (this.#erased.has(userId)) return false;
    const slot = this.#crowd.open(userId);
    if (seq <= this.#crowd.number('accountSeq', slot)) return false;
    const before = this.#creditedTo(slot);
    this.#count(slot, -1);
    this.#crowd.takeAccount(slot, seq, state);
    this.#count(slot, 1);
    if (this.#filling) return false;
    for (const period of PERIODS) {
      const totalMicro = this.#crowd.totalOf(slot, period, this.#keys);
      this.#rankings[period].set(slot, totalMicro, this.#crowd.reachedAtOf(slot, period));
    }
    return this.#creditedTo(slot) > before;
  }

  /**
   * Takes over accounts without ranking them until the work is done, then ranks all at once: of a million accounts a
   * sort costs much less than a million insertions. No reader may come meanwhile.
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
    const slot = this.#crowd.open(userId);
    if (seq <= this.#crowd.number('profileSeq', slot)) return;
    const before = this.#crowd.searchNameAt(slot);
    this.#crowd.name(slot, profile.username, profile.avatar);
    this.#crowd.set('discordCreatedAtMs', slot, profile.discordCreatedAtMs);
    this.#crowd.set('profileSeq', slot, seq);
    this.#names.set(userId, before, this.#crowd.searchNameAt(slot));
  }

  applyBadge(userId: string): void {
    if (!this.#erased.has(userId)) this.#crowd.set('badge', this.#crowd.open(userId), 1);
  }

  /** The user is gone from every ranking, whatever else arrives (services/README.md#erasure). */
  erase(userId: string): void {
    this.#erased.add(userId);
    const slot = this.#crowd.slotOf(userId);
    if (slot === undefined) return;
    this.#count(slot, -1);
    for (const period of PERIODS) this.#rankings[period].remove(slot);
    this.#names.set(userId, this.#crowd.searchNameAt(slot), null);
    this.#crowd.close(slot);
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

  /** Takes over a stored piece into a board that does not have it; within `fill`. */
  loadPiece(bytes: Buffer): void {
    const { piece, erased } = readPiece(bytes);
    for (const userId of erased) this.#erased.add(userId);
    this.#took(this.#crowd.take(piece));
  }

  /** Everything, for a snapshot, in pieces of so many users. */
  *pieces(users: number): Generator<Buffer> {
    const empty: Piece = this.#crowd.piece(0, 0);
    const erased = [...this.#erased];
    for (let from = 0; from < erased.length; from += users) yield writePiece(empty, erased.slice(from, from + users));
    for (let from = 0; from < this.#crowd.slots; from += users)
      yield writePiece(this.#crowd.piece(from, from + users), []);
  }

  /** Every miner. */
  *miners(): Generator<Miner> {
    for (let slot = 0; slot < this.#crowd.slots; slot += 1)
      if (this.#crowd.userIdAt(slot) !== '') yield this.#crowd.at(slot);
  }

  /** All-time rank; null while unranked. */
  rankOf(userId: string, period: Period = 'all-time'): number | null {
    const slot = this.#crowd.slotOf(userId);
    return slot === undefined ? null : this.#rankings[period].rankOf(slot);
  }

  /** The first `limit` of a ranking. */
  top(period: Period, limit: number, nowMs: number): LeaderboardEntry[] {
    return this.#entries(this.#rankings[period].slice(1, limit), 1, period, nowMs);
  }

  /** The ids of the first of all time, by rank. */
  first(count: number): string[] {
    return this.#rankings['all-time'].slice(1, count).map((slot) => this.#crowd.userIdAt(slot));
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
    for (const slot of this.#rankings[period].slice(from, count))
      if (this.#crowd.searchNameAt(slot)?.includes(wanted)) ids.push(this.#crowd.userIdAt(slot));
    return ids;
  }

  /** Those who may hold a text in their name, in no order: see NameIndex.sharing. */
  sharing(wanted: string): readonly string[] | null {
    return this.#names.sharing(wanted);
  }

  /** Those of some users whose name holds a text, with their ranks; who is unranked is left out. */
  namedOf(userIds: readonly string[], wanted: string, period: Period): { userId: string; rank: number }[] {
    return userIds.flatMap((userId) => {
      const slot = this.#crowd.slotOf(userId);
      if (slot === undefined || !this.#crowd.searchNameAt(slot)?.includes(wanted)) return [];
      const rank = this.#rankings[period].rankOf(slot);
      return rank === null ? [] : [{ userId, rank }];
    });
  }

  /** The entries of users, by rank; who is unranked is left out. */
  entriesOf(userIds: Iterable<string>, period: Period, nowMs: number): LeaderboardEntry[] {
    const entries: LeaderboardEntry[] = [];
    for (const userId of userIds) {
      const slot = this.#crowd.slotOf(userId);
      const rank = slot === undefined ? null : this.#rankings[period].rankOf(slot);
      if (slot !== undefined && rank !== null)
        entries.push(toEntry(this.#crowd.at(slot), rank, period, this.#keys, this.#shown(nowMs)));
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

  /** What a card shows of a user in a period; null for an unknown user, or one whose name has not arrived. */
  cardOf(userId: string, period: Period, nowMs: number): RankCard | null {
    const slot = this.#crowd.slotOf(userId);
    const miner = slot === undefined ? undefined : this.#crowd.at(slot);
    if (slot === undefined || miner === undefined || miner.username === null) return null;
    return {
      ...publicFacts(miner, miner.username, this.#shown(nowMs)),
      rank: this.#rankings[period].rankOf(slot),
      miners: this.ranked(period),
      earnedMicro: String(Math.trunc(this.#crowd.totalOf(slot, period, this.#keys))),
    };
  }

  stats(nowMs: number): BoardStats {
    return {
      totalMiners: this.#rankings['all-time'].size,
      activeMiners: this.#countActive(nowMs),
      totalEarned: microToNumber(this.#totalMicro.value),
      totalMined: microToNumber(this.#minedMicro.value),
    };
  }

  #entries(slots: readonly number[], firstRank: number, period: Period, nowMs: number): LeaderboardEntry[] {
    const shown = this.#shown(nowMs);
    return slots.map((slot, index) => toEntry(this.#crowd.at(slot), firstRank + index, period, this.#keys, shown));
  }

  #shown(nowMs: number): Shown {
    return { nowMs, book: this.#bookAt(nowMs) };
  }

  /** What was credited to one beside what the node earned, micro-CORD. */
  #creditedTo(slot: number): number {
    return this.#crowd.number('totalMicro', slot) - this.#crowd.number('miningMicro', slot);
  }

  /** Adds a miner to the sums, or takes the miner out before a change. */
  #count(slot: number, sign: 1 | -1): void {
    this.#totalMicro.add(sign * this.#crowd.number('totalMicro', slot));
    this.#minedMicro.add(sign * this.#crowd.number('miningMicro', slot));
  }

  /** Counts and finds those who have come into new slots from one on. */
  #took(first: number): void {
    for (let slot = first; slot < this.#crowd.slots; slot += 1) {
      this.#names.set(this.#crowd.userIdAt(slot), null, this.#crowd.searchNameAt(slot));
      this.#count(slot, 1);
    }
  }

  #countActive(nowMs: number): number {
    const ageMs = nowMs - this.#activeCount.atMs;
    if (ageMs >= 0 && ageMs < ACTIVE_COUNT_MS) return this.#activeCount.count;
    const count = this.#crowd.countAbove('activeUntilMs', nowMs);
    this.#activeCount = { atMs: nowMs, count };
    return count;
  }

  #loadRankings(periods: readonly Period[]): void {
    for (const period of periods) this.#rankings[period].load(this.#crowd.totals(period, this.#keys));
  }
}
