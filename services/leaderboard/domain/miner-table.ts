import type { Period } from '@cord/contracts/http/leaderboard';
import type { PeriodKeys } from '@cord/contracts/rules/days';
import { COLUMNS, type Column, type Numbers, numbersOf, type Piece, pick } from './columns.js';
import { type Miner, PERIOD_FIELDS, type RankedAccount } from './miner.js';
import { TextTable } from './text-table.js';

const PERIODS = ['day', 'week', 'month'] as const;
const COLUMNS_OF = {
  day: { key: 'dayKey', micro: 'dayMicro', reachedAt: 'dayReachedAtMs' },
  week: { key: 'weekKey', micro: 'weekMicro', reachedAt: 'weekReachedAtMs' },
  month: { key: 'monthKey', micro: 'monthMicro', reachedAt: 'monthReachedAtMs' },
} as const satisfies Record<(typeof PERIODS)[number], Record<string, Column>>;
const KEY_COLUMNS = PERIODS.map((name) => COLUMNS_OF[name].key);
const ROOM_MIN = 1_024;

/** The amounts of all users that a ranking compares, by slot. */
interface Totals {
  micro: Float64Array;
  reachedAtMs: Float64Array;
}

/**
 * All users in memory, each in a slot. Numbers are stored in columns instead of objects: a million miners are
 * seventeen arrays without anything for the garbage collector to scan, instead of thirty million objects.
 */
export class MinerTable {
  readonly #slots = new Map<string, number>();
  /** Slots of removed users, for reuse. */
  readonly #free: number[] = [];
  readonly #userIds: string[] = [];
  readonly #usernames: (string | null)[] = [];
  /** Names in lower case, for searches. */
  readonly #searchNames: (string | null)[] = [];
  readonly #avatars: (string | null)[] = [];
  readonly #texts = new TextTable();
  #numbers = numbersOf(ROOM_MIN);

  get size(): number {
    return this.#slots.size;
  }

  /** Number of slots, including free ones. */
  get slots(): number {
    return this.#userIds.length;
  }

  slotOf(userId: string): number | undefined {
    return this.#slots.get(userId);
  }

  /** Returns '' for a free slot. */
  userIdAt(slot: number): string {
    return this.#userIds[slot] ?? '';
  }

  searchNameAt(slot: number): string | null {
    return this.#searchNames[slot] ?? null;
  }

  number(column: Column, slot: number): number {
    return this.#numbers[column][slot] as number;
  }

  set(column: Column, slot: number, value: number): void {
    this.#numbers[column][slot] = value;
  }

  /** Returns the user's slot; creates one for an unknown user. */
  open(userId: string): number {
    const known = this.#slots.get(userId);
    if (known !== undefined) return known;
    const slot = this.#free.pop() ?? this.slots;
    this.#grow(slot + 1);
    this.#userIds[slot] = userId;
    this.#slots.set(userId, slot);
    this.name(slot, null, null);
    return slot;
  }

  /** Removes the user of a slot. */
  close(slot: number): void {
    this.#slots.delete(this.userIdAt(slot));
    this.#userIds[slot] = '';
    this.name(slot, null, null);
    for (const column of COLUMNS) this.set(column, slot, 0);
    this.#free.push(slot);
  }

  name(slot: number, username: string | null, avatar: string | null): void {
    this.#usernames[slot] = username;
    this.#searchNames[slot] = username?.toLowerCase() ?? null;
    this.#avatars[slot] = avatar;
  }

  /** Stores a ledger account's state (amounts in micro-CORD; a number is exact up to 9 billion CORD). */
  setAccount(slot: number, seq: number, state: RankedAccount): void {
    this.set('accountSeq', slot, seq);
    this.set('totalMicro', slot, Number(state.total));
    this.set('totalReachedAtMs', slot, state.totalReachedAt);
    this.set('miningMicro', slot, Number(state.bySource.mining ?? 0));
    for (const name of PERIODS) {
      const { key, micro, reachedAt } = state[name];
      this.#setPeriod(slot, name, key, Number(micro), reachedAt);
    }
    this.set('activeUntilMs', slot, state.node.status === 'active' ? (state.node.leaseUntil ?? 0) : 0);
  }

  /** Returns a user's amount in a ranking, micro-CORD; 0 for an amount of another day, week or month. */
  totalOf(slot: number, period: Period, keys: PeriodKeys): number {
    if (period === 'all-time') return this.number('totalMicro', slot);
    const name = PERIOD_FIELDS[period];
    const { key, micro } = COLUMNS_OF[name];
    return this.number(key, slot) === this.#texts.numberOf(keys[name]) ? this.number(micro, slot) : 0;
  }

  /** Returns when the amount was reached, ms. */
  reachedAtOf(slot: number, period: Period): number {
    return this.number(period === 'all-time' ? 'totalReachedAtMs' : COLUMNS_OF[PERIOD_FIELDS[period]].reachedAt, slot);
  }

  /** Returns the amounts and times of all users. */
  totals(period: Period, keys: PeriodKeys): Totals {
    const all = (column: Column) => this.#numbers[column].slice(0, this.slots);
    if (period === 'all-time') return { micro: all('totalMicro'), reachedAtMs: all('totalReachedAtMs') };
    const name = PERIOD_FIELDS[period];
    const { key, micro, reachedAt } = COLUMNS_OF[name];
    const present = this.#texts.numberOf(keys[name]);
    const keyAt = this.#numbers[key];
    const counted = all(micro).map((total, slot) => (keyAt[slot] === present ? total : 0));
    return { micro: counted, reachedAtMs: all(reachedAt) };
  }

  /** Returns how many users have a number above this one. */
  countAbove(column: Column, least: number): number {
    let count = 0;
    for (const number of this.#numbers[column].subarray(0, this.slots)) if (number > least) count += 1;
    return count;
  }

  /** Returns the miner in a slot. */
  minerAt(slot: number): Miner {
    const period = (name: (typeof PERIODS)[number]) => ({
      key: this.#texts.textOf(this.number(COLUMNS_OF[name].key, slot)),
      totalMicro: this.number(COLUMNS_OF[name].micro, slot),
      reachedAtMs: this.number(COLUMNS_OF[name].reachedAt, slot),
    });
    return {
      userId: this.userIdAt(slot),
      accountSeq: this.number('accountSeq', slot),
      profileSeq: this.number('profileSeq', slot),
      username: this.#usernames[slot] ?? null,
      avatar: this.#avatars[slot] ?? null,
      discordCreatedAtMs: this.number('discordCreatedAtMs', slot),
      badge: this.number('badge', slot) > 0,
      totalMicro: this.number('totalMicro', slot),
      totalReachedAtMs: this.number('totalReachedAtMs', slot),
      miningMicro: this.number('miningMicro', slot),
      day: period('day'),
      week: period('week'),
      month: period('month'),
      activeUntilMs: this.number('activeUntilMs', slot),
    };
  }

  /** Stores an unknown miner. @returns the slot */
  put(miner: Miner): number {
    const slot = this.open(miner.userId);
    this.name(slot, miner.username, miner.avatar);
    this.set('accountSeq', slot, miner.accountSeq);
    this.set('profileSeq', slot, miner.profileSeq);
    this.set('discordCreatedAtMs', slot, miner.discordCreatedAtMs);
    this.set('badge', slot, miner.badge ? 1 : 0);
    this.set('totalMicro', slot, miner.totalMicro);
    this.set('totalReachedAtMs', slot, miner.totalReachedAtMs);
    this.set('miningMicro', slot, miner.miningMicro);
    for (const name of PERIODS) {
      const { key, totalMicro, reachedAtMs } = miner[name];
      this.#setPeriod(slot, name, key, totalMicro, reachedAtMs);
    }
    this.set('activeUntilMs', slot, miner.activeUntilMs);
    return slot;
  }

  /** Returns the miners in slots `from` to `to` (exclusive); omits free slots. */
  piece(from: number, to: number): Piece {
    const last = Math.min(to, this.slots);
    const taken = Array.from({ length: Math.max(0, last - from) }, (_, n) => from + n);
    return pick(
      {
        userIds: this.#userIds,
        usernames: this.#usernames,
        avatars: this.#avatars,
        texts: this.#texts.all(),
        numbers: this.#numbers,
      },
      taken.filter((slot) => this.userIdAt(slot) !== ''),
    );
  }

  /** Stores the unknown miners of a piece. @returns the first of their slots, which are consecutive up to the end */
  load(piece: Piece): number {
    const base = this.slots;
    const fresh = piece.userIds.flatMap((userId, place) => (this.#slots.has(userId) ? [] : [place]));
    const { userIds, usernames, avatars, texts, numbers } =
      fresh.length === piece.userIds.length ? piece : pick(piece, fresh);
    this.#grow(base + userIds.length);
    for (const column of COLUMNS) this.#numbers[column].set(numbers[column], base);
    const ownNumbers = texts.map((text) => this.#texts.numberOf(text));
    for (const column of KEY_COLUMNS)
      for (let slot = base; slot < base + userIds.length; slot += 1)
        this.set(column, slot, ownNumbers[this.number(column, slot)] ?? 0);
    for (const [place, userId] of userIds.entries()) {
      this.#userIds.push(userId);
      this.#slots.set(userId, base + place);
      this.name(base + place, usernames[place] ?? null, avatars[place] ?? null);
    }
    return base;
  }

  #setPeriod(slot: number, name: (typeof PERIODS)[number], key: string, micro: number, reachedAtMs: number): void {
    const columns = COLUMNS_OF[name];
    this.set(columns.key, slot, this.#texts.numberOf(key));
    this.set(columns.micro, slot, micro);
    this.set(columns.reachedAt, slot, reachedAtMs);
  }

  /** Makes room for this many slots. */
  #grow(slots: number): void {
    const room = this.#numbers.totalMicro.length;
    if (slots <= room) return;
    const larger: Numbers = numbersOf(Math.max(slots, 2 * room));
    for (const column of COLUMNS) larger[column].set(this.#numbers[column]);
    this.#numbers = larger;
  }
}
