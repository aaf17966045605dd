import { type LedgerKey, readLedgerKey } from '@cord/contracts/rules/ledger-keys';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import type { Found } from '../findings.js';
import { entriesWaiting } from '../ledger/waiting.js';
import type { UserBooks } from '../store/source.js';
import { type Owed, owedBy } from './owed.js';

/** Sources whose keys name nothing but the user: one credit a life. */
const ONCE: ReadonlySet<string> = new Set(['welcome', 'refbonus', 'compensation', 'cordclaim']);

/** What the ledger has credited for a task. */
interface TaskPaid {
  count: number;
  latestMicro: bigint;
  /** The largest number of a claim among the keys. */
  claimMost: number;
}

/**
 * What an account was credited for claims, and what is still owed. It is filled entry by entry and holds one sum a task, the amounts of the
 * check-ins that are still listed, and one amount for each credit that comes once.
 */
export class Paid {
  /** By key. */
  readonly once = new Map<string, bigint>();
  readonly tasks = new Map<string, TaskPaid>();
  /** By id of the proposal. */
  readonly corrections = new Map<string, bigint>();
  readonly checkins = { count: 0, micro: 0n, listed: new Map<string, bigint>() };
  /** What the user's documents owe this user, by key. */
  readonly owed: Map<string, Owed>;
  /** Owed keys under which an entry stands. */
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

  /** Whether the ledger has refused all that comes: what was claimed before may have been dropped. */
  get isErased(): boolean {
    return (this.books.account?.erasedAtMs ?? null) !== null;
  }

  /** Whether a service has dropped what it held of an erased user: its document is a tombstone, or is gone. */
  hasDropped(document: { erased?: boolean } | null): boolean {
    return document === null ? this.isErased : document.erased === true;
  }

  /** The next entry of the store, up to the account's seq. */
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
   * One claim that is paid once: exactly one of entry, pending credit, parked credit, tombstone.
   * @param due null where the claim was not made
   * @param dropped the claim's service has forgotten what it owed: there need be no entry
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

  /** Credits that are owed although an entry stands under their key. A pending one is taken out soon after its entry; a parked one never has any. */
  checkOwed(): void {
    for (const [key, micro] of this.both) {
      const { state, amountMicro, sinceMs } = this.owed.get(key) as Owed;
      if (amountMicro !== micro) this.found.sum(`${key}, which is ${state} and credited`, amountMicro, micro);
      else if (state === 'parked') this.found.wrong(`${key} is parked and credited`, micro);
      else this.found.late(`${key} is pending and credited`, sinceMs, micro);
    }
    for (const key of this.owed.keys())
      if (readLedgerKey(key) === null) this.found.wrong(`${key} is owed, a key without a grammar`);
  }

  /** Owed keys of a source without an entry. */
  owedOf(source: string): [LedgerKey, Owed][] {
    return [...this.owed].flatMap(([id, owed]) => {
      const key = readLedgerKey(id);
      return key?.source === source && !this.both.has(id) ? [[key, owed] as [LedgerKey, Owed]] : [];
    });
  }
}
