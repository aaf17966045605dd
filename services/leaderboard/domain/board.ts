import type { LeaderboardEntry, Period } from '@cord/contracts/http/leaderboard';
import { PERIODS, type PeriodKeys, periodKeys } from '@cord/contracts/rules/days';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Rules } from '@cord/kit/rules';
import { type Piece, readPiece, writePiece } from './columns.js';
import { type Miner, publicFacts, type RankCard, type RankedAccount, type Shown, toEntry } from './miner.js';
import { MinerTable } from './miner-table.js';
import { NameIndex } from './names.js';
import { Ranking } from './ranking.js';
import { Sum } from './sum.js';

/** A user's name and picture, from auth. */
export interface Profile {
  username: string;
  avatar: string | null;
  discordCreatedAtMs: number;
}

/** Public totals. */
interface BoardStats {
  totalMiners: number;
  activeMiners: number;
  /** CORD. */
  totalEarned: number;
  /** CORD from mining alone. */
  totalMined: number;
}

/** Number of neighbours on each side of the user's entry. */
const NEIGHBOURS = 2;
/** Cache lifetime of the number of active nodes, ms. */
const ACTIVE_COUNT_MS = 1_000;

/**
 * All rankings in memory, one board per replica (services/README.md#events). The highest seq wins, so duplicates and
 * reordering are harmless.
 */
export class Board {
  readonly #miners = new MinerTable();
  readonly #erased = new Set<string>();
  readonly #names = new NameIndex();
  readonly #rankings = Object.fromEntries(
    PERIODS.map((period) => [period, new Ranking((slot) => this.#miners.userIdAt(slot))]),
  ) as Readonly<Record<Period, Ranking>>;
  #keys: PeriodKeys;
  readonly #totalMicro = new Sum();
  #filling = false;
  readonly #minedMicro = new Sum();
  #activeCount = { atMs: Number.NEGATIVE_INFINITY, count: 0 };

  readonly #bookAt: Rules['book'];

  /** @param bookAt returns the rule book of a time, for multipliers */
  constructor(nowMs: number, bookAt: Rules['book']) {
    this.#bookAt = bookAt;
    this.#keys = periodKeys(nowMs);
  }

  /** Number of known users. */
  get size(): number {
    return this.#miners.size;
  }

  /** Whether a user is known, ranked or not. */
  has(userId: string): boolean {
    return this.#miners.slotOf(userId) !== undefined;
  }

  /**
   * Stores a ledger account, unless a newer one is known.
   * @returns whether this makes a credit visible that was not earned by the node; always false during `fill`
   */
  applyAccount(userId: string, seq: number, state: RankedAccount): boolean {
    if (this.#erased.has(userId)) return false;
    const slot = this.#miners.open(userId);
    if (seq <= this.#miners.number('accountSeq', slot)) return false;
    const before = this.#creditedTo(slot);
    this.#count(slot, -1);
    this.#miners.setAccount(slot, seq, state);
    this.#count(slot, 1);
    if (this.#filling) return false;
    for (const period of PERIODS) {
      const totalMicro = this.#miners.totalOf(slot, period, this.#keys);
      this.#rankings[period].set(slot, totalMicro, this.#miners.reachedAtOf(slot, period));
    }
    return this.#creditedTo(slot) > before;
  }

  /**
   * Stores accounts without ranking them until the work is done, then ranks all at once: sorting a million accounts
   * costs much less than a million insertions. No reader may run meanwhile.
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

  /** Stores a profile, unless a newer one is known. */
  applyProfile(userId: string, seq: number, profile: Profile): void {
    if (this.#erased.has(userId)) return;
    const slot = this.#miners.open(userId);
    if (seq <= this.#miners.number('profileSeq', slot)) return;
    const before = this.#miners.searchNameAt(slot);
    this.#miners.name(slot, profile.username, profile.avatar);
    this.#miners.set('discordCreatedAtMs', slot, profile.discordCreatedAtMs);
    this.#miners.set('profileSeq', slot, seq);
    this.#names.set(userId, before, this.#miners.searchNameAt(slot));
  }

  applyBadge(userId: string): void {
    if (!this.#erased.has(userId)) this.#miners.set('badge', this.#miners.open(userId), 1);
  }

  /** Removes a user from all rankings for good, whatever arrives later (services/README.md#erasure). */
  erase(userId: string): void {
    this.#erased.add(userId);
    const slot = this.#miners.slotOf(userId);
    if (slot === undefined) return;
    this.#count(slot, -1);
    for (const period of PERIODS) this.#rankings[period].remove(slot);
    this.#names.set(userId, this.#miners.searchNameAt(slot), null);
    this.#miners.close(slot);
  }

  /** Starts the present day, week and month; must be called before reading. */
  rollTo(nowMs: number): void {
    const keys = periodKeys(nowMs);
    const { day, week, month } = this.#keys;
    if (keys.day === day) return;
    this.#keys = keys;
    // On most days only the daily ranking changes; the others stay.
    this.#loadRankings([
      'daily',
      ...(keys.week === week ? [] : (['weekly'] as const)),
      ...(keys.month === month ? [] : (['monthly'] as const)),
    ]);
  }

  /** Loads a stored piece into a new board; within `fill`. */
  loadPiece(bytes: Buffer): void {
    const { piece, erased } = readPiece(bytes);
    for (const userId of erased) this.#erased.add(userId);
    this.#took(this.#miners.load(piece));
  }

  /** Returns all data for a snapshot, in pieces of this many users. */
  *pieces(users: number): Generator<Buffer> {
    const empty: Piece = this.#miners.piece(0, 0);
    const erased = [...this.#erased];
    for (let from = 0; from < erased.length; from += users) yield writePiece(empty, erased.slice(from, from + users));
    for (let from = 0; from < this.#miners.slots; from += users)
      yield writePiece(this.#miners.piece(from, from + users), []);
  }

  /** Returns all miners. */
  *miners(): Generator<Miner> {
    for (let slot = 0; slot < this.#miners.slots; slot += 1)
      if (this.#miners.userIdAt(slot) !== '') yield this.#miners.minerAt(slot);
  }

  /** Returns the rank in a period; null while unranked. */
  rankOf(userId: string, period: Period = 'all-time'): number | null {
    const slot = this.#miners.slotOf(userId);
    return slot === undefined ? null : this.#rankings[period].rankOf(slot);
  }

  /** Returns the first `limit` entries of a ranking. */
  top(period: Period, limit: number, nowMs: number): LeaderboardEntry[] {
    return this.#entries(this.#rankings[period].slice(1, limit), 1, period, nowMs);
  }

  /** Returns the first ids of the all-time ranking, by rank. */
  first(count: number): string[] {
    return this.#rankings['all-time'].slice(1, count).map((slot) => this.#miners.userIdAt(slot));
  }

  /** Returns the number of ranked users in a period. */
  ranked(period: Period): number {
    return this.#rankings[period].size;
  }

  /**
   * Returns ids whose name contains a text, from `count` ranks starting at rank `from`.
   * @param wanted in lower case
   */
  findByName(wanted: string, period: Period, from: number, count: number): string[] {
    const ids: string[] = [];
    for (const slot of this.#rankings[period].slice(from, count))
      if (this.#miners.searchNameAt(slot)?.includes(wanted)) ids.push(this.#miners.userIdAt(slot));
    return ids;
  }

  /** Returns the ids whose name may contain a text, unordered: see NameIndex.candidates. */
  nameCandidates(wanted: string): readonly string[] | null {
    return this.#names.candidates(wanted);
  }

  /** Returns those of some users whose name contains a text, with their ranks; omits unranked users. */
  filterByName(userIds: readonly string[], wanted: string, period: Period): { userId: string; rank: number }[] {
    return userIds.flatMap((userId) => {
      const slot = this.#miners.slotOf(userId);
      if (slot === undefined || !this.#miners.searchNameAt(slot)?.includes(wanted)) return [];
      const rank = this.#rankings[period].rankOf(slot);
      return rank === null ? [] : [{ userId, rank }];
    });
  }

  /** Returns the entries of users, by rank; omits unranked users. */
  entriesOf(userIds: Iterable<string>, period: Period, nowMs: number): LeaderboardEntry[] {
    const entries: LeaderboardEntry[] = [];
    for (const userId of userIds) {
      const slot = this.#miners.slotOf(userId);
      const rank = slot === undefined ? null : this.#rankings[period].rankOf(slot);
      if (slot !== undefined && rank !== null)
        entries.push(toEntry(this.#miners.minerAt(slot), rank, period, this.#keys, this.#shown(nowMs)));
    }
    return entries.sort((a, b) => a.rank - b.rank);
  }

  /** Returns a user's entry with its neighbours; null while unranked. */
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

  /** Returns the card of a user in a period; null for an unknown user, or one whose name has not arrived. */
  cardOf(userId: string, period: Period, nowMs: number): RankCard | null {
    const slot = this.#miners.slotOf(userId);
    const miner = slot === undefined ? undefined : this.#miners.minerAt(slot);
    if (slot === undefined || miner === undefined || miner.username === null) return null;
    return {
      ...publicFacts(miner, miner.username, this.#shown(nowMs)),
      rank: this.#rankings[period].rankOf(slot),
      miners: this.ranked(period),
      earnedMicro: String(Math.trunc(this.#miners.totalOf(slot, period, this.#keys))),
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
    return slots.map((slot, index) =>
      toEntry(this.#miners.minerAt(slot), firstRank + index, period, this.#keys, shown),
    );
  }

  #shown(nowMs: number): Shown {
    return { nowMs, book: this.#bookAt(nowMs) };
  }

  /** Returns the credits of a user beyond the node's earnings, micro-CORD. */
  #creditedTo(slot: number): number {
    return this.#miners.number('totalMicro', slot) - this.#miners.number('miningMicro', slot);
  }

  /** Adds a miner to the totals, or subtracts it before a change. */
  #count(slot: number, sign: 1 | -1): void {
    this.#totalMicro.add(sign * this.#miners.number('totalMicro', slot));
    this.#minedMicro.add(sign * this.#miners.number('miningMicro', slot));
  }

  /** Adds the miners in new slots to the totals and the name index, starting at a slot. */
  #took(first: number): void {
    for (let slot = first; slot < this.#miners.slots; slot += 1) {
      this.#names.set(this.#miners.userIdAt(slot), null, this.#miners.searchNameAt(slot));
      this.#count(slot, 1);
    }
  }

  #countActive(nowMs: number): number {
    const ageMs = nowMs - this.#activeCount.atMs;
    if (ageMs >= 0 && ageMs < ACTIVE_COUNT_MS) return this.#activeCount.count;
    const count = this.#miners.countAbove('activeUntilMs', nowMs);
    this.#activeCount = { atMs: nowMs, count };
    return count;
  }

  #loadRankings(periods: readonly Period[]): void {
    for (const period of periods) this.#rankings[period].load(this.#miners.totals(period, this.#keys));
  }
}
