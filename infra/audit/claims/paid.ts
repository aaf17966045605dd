import { type LedgerKey, readLedgerKey } from '@cord/contracts/rules/ledger-keys';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import type { Found } from '../findings.js';
import { entriesWaiting } from '../ledger/waiting.js';
import type { UserBooks } from '../store/source.js';
import { type Owed, owedBy } from './owed.js';

/** Sources with one credit per user, whose keys name only the user. */
const ONCE: ReadonlySet<string> = new Set(['welcome', 'refbonus', 'compensation', 'cordclaim']);

/** The ledger's credits for a task. */
interface TaskPaid {
  count: number;
  latestMicro: bigint;
  /** The largest claim number among the keys. */
  claimMost: number;
}

/**
 * The credits of an account for claims, and those still owed. It is filled entry by entry. It stores one sum per
 * task, the amounts of listed check-ins, and the amounts of one-time credits.
 */
export class Paid {
  /** One-time credits by key, micro-CORD. */
  readonly once = new Map<string, bigint>();
  readonly tasks = new Map<string, TaskPaid>();
  /** Corrections by id of the proposal, micro-CORD. */
  readonly corrections = new Map<string, bigint>();
  readonly checkins = { count: 0, micro: 0n, listed: new Map<string, bigint>() };
  /** Credits that the user's documents owe this user, by key. */
  readonly owed: Map<string, Owed>;
  /** Owed keys that have an entry. */
  readonly both = new Map<string, bigint>();
  readonly #listed: ReadonlySet<string>;
  readonly #waiting: Set<string>;

  constructor(
    readonly books: UserBooks,
    readonly found: Found,
  ) {
    const own = [...owedBy(books)].filter(
      ([key]) => readLedgerKey(key)?.userId === books.userId || readLedgerKey(key) === null,
    );
    this.owed = new Map(own);
    this.#listed = new Set(books.streak?.days.map(({ dayKey }) => dayKey));
    const waiting = books.account ? entriesWaiting(books.account) : [];
    this.#waiting = new Set(waiting.map(({ key }) => key));
    for (const entry of waiting) this.#take(entry.key, entry.amountMicro);
  }

  /** Whether the account is erased: the ledger refuses all later credits, so earlier claims may have been dropped. */
  get isErased(): boolean {
    return (this.books.account?.erasedAtMs ?? null) !== null;
  }

  /** Whether a service deleted its data of an erased user: its document is a tombstone or missing. */
  hasDropped(document: { erased?: boolean } | null): boolean {
    return document === null ? this.isErased : document.erased === true;
  }

  /** Adds the next entry of the store, up to the account's seq. */
  add({ _id, seq, amountMicro }: EntryDoc, account: AccountDoc): void {
    if (seq <= account.seq && !this.#waiting.has(_id)) this.#take(_id, amountMicro);
  }

  #take(id: string, micro: bigint): void {
    const key = readLedgerKey(id);
    if (this.owed.has(id)) this.both.set(id, micro);
    if (key === null) return;
    if (ONCE.has(key.source)) this.once.set(id, micro);
    if (key.source === 'task') this.#task(key, micro);
    if (key.correctionId !== undefined) this.corrections.set(key.correctionId, micro);
    if (key.source !== 'checkin' || key.dayKey === undefined) return;
    this.checkins.count += 1;
    this.checkins.micro += micro;
    if (this.#listed.has(key.dayKey)) this.checkins.listed.set(key.dayKey, micro);
  }

  #task({ taskId = '', claim = 0 }: LedgerKey, micro: bigint): void {
    const { count = 0, claimMost = 0 } = this.tasks.get(taskId) ?? {};
    this.tasks.set(taskId, { count: count + 1, latestMicro: micro, claimMost: Math.max(claim, claimMost) });
  }

  /**
   * Checks a one-time claim: it must have exactly one of entry, pending credit, parked credit, tombstone.
   * @param due null without a claim
   * @param dropped whether the claim's service deleted its data: then there may be no entry
   */
  checkOnce(key: string, due: { amountMicro: bigint } | null, dropped: boolean): void {
    const { found } = this;
    const paid = this.once.get(key);
    const owed = this.owed.get(key);
    const is = paid ?? owed?.amountMicro;
    if (due === null) {
      if (is !== undefined && !dropped)
        found.wrong(`${key} is ${paid === undefined ? 'owed' : 'credited'} without a claim`, is);
      return;
    }
    if (is !== undefined && is !== due.amountMicro) found.sum(key, is, due.amountMicro);
    if (is === undefined && !dropped && !this.isErased)
      found.wrong(`${key}: the claim has no entry, no pending and no parked credit`, due.amountMicro);
  }

  /** Checks owed credits that have an entry. A pending one is removed soon after its entry; a parked one must have none. */
  checkOwed(): void {
    for (const [key, micro] of this.both) {
      const { state, amountMicro, sinceMs } = this.owed.get(key) as Owed;
      if (amountMicro !== micro) this.found.sum(`${key}, which is ${state} and credited`, amountMicro, micro);
      else if (state === 'parked') this.found.wrong(`${key} is parked and credited`, micro);
      else this.found.late(`${key} is pending and credited`, sinceMs, micro);
    }
    for (const key of this.owed.keys())
      if (readLedgerKey(key) === null) this.found.wrong(`${key} is owed, but the key is malformed`);
  }

  /** Returns the owed keys of a source that have no entry. */
  owedOf(source: string): [LedgerKey, Owed][] {
    return [...this.owed].flatMap(([id, owed]) => {
      const key = readLedgerKey(id);
      return key?.source === source && !this.both.has(id) ? [[key, owed] as [LedgerKey, Owed]] : [];
    });
  }
}
