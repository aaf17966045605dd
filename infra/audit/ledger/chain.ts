import { createHash } from 'node:crypto';
import type { Source } from '@cord/contracts/events/balance';
import { amountOfFacts, chainEntry, chainStart, entryHash } from '@cord/contracts/proof/chain';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import type { Found } from '../findings.js';
import { entriesWaiting } from './waiting.js';

export type BySource = Partial<Record<Source, bigint>>;

/**
 * Checks the entries of one account in the order of their seq, including those in its outbox. Each must follow the
 * previous one and contain the balance after it, and the hash over the previous hash and its fields. It keeps sums
 * and one entry only. Faults of entries are one finding: the first broken entry, by its key.
 */
export class Chain {
  entries = 0;
  sumMicro = 0n;
  readonly bySource: BySource = {};
  /** The largest seq above the account's: of an entry written after the account was read, or one that the account is behind. */
  aboveSeq: bigint | null = null;
  readonly #waiting: EntryDoc[];
  readonly #broken: string[] = [];
  #lastSeq = 0n;
  /** The balance after the last entry, by which later ones are judged, so that one break is one fault. */
  #balanceMicro = 0n;
  /** Hash of the last entry, base64. */
  #head: string;

  /** @param onEntry checks each entry that counts, and returns another fault of it */
  constructor(
    readonly account: AccountDoc,
    readonly found: Found,
    readonly onEntry: (entry: EntryDoc) => string | null = () => null,
  ) {
    this.#head = chainStart(sha256, account._id);
    const waiting = entriesWaiting(account).map(({ key, ...entry }) => ({ ...entry, _id: key }));
    this.#waiting = waiting.sort((a, b) => (a.seq < b.seq ? -1 : 1));
  }

  /** Adds the next entry of the store. */
  add(entry: EntryDoc): void {
    if (entry.seq > this.account.seq) {
      if (this.aboveSeq === null || entry.seq > this.aboveSeq) this.aboveSeq = entry.seq;
      return;
    }
    while ((this.#waiting[0]?.seq ?? entry.seq) < entry.seq) this.#take(this.#waiting.shift() as EntryDoc);
    const twin = this.#waiting[0];
    if (twin?.seq === entry.seq) {
      this.#waiting.shift();
      if (twin._id !== entry._id || twin.amountMicro !== entry.amountMicro)
        this.#break(entry, `the outbox has ${twin._id} of ${twin.amountMicro} with its seq`);
    }
    this.#take(entry);
  }

  /** Ends the entries of the store. */
  end(): void {
    for (const entry of this.#waiting.splice(0)) this.#take(entry);
    const [first, ...more] = this.#broken;
    const { n, head } = this.account.chain ?? {};
    // The sums report a missing entry.
    if (!first && n === this.entries && head !== this.#head)
      this.found.wrong('the head of its chain is not the hash of its last entry');
    if (!first && n !== this.entries) this.found.wrong(`its chain has ${n} entries, ${this.entries} were found`);
    if (first) this.found.wrong(`${first}${more.length > 0 ? `; and ${more.length} more of its entries` : ''}`);
  }

  #take(entry: EntryDoc): void {
    const { seq, amountMicro, balanceMicro, source } = entry;
    const dueMicro = this.#balanceMicro + amountMicro;
    this.entries += 1;
    this.sumMicro += amountMicro;
    plus(this.bySource, source, amountMicro);
    if (seq <= this.#lastSeq) this.#break(entry, `it follows seq ${this.#lastSeq}`);
    if (balanceMicro !== dueMicro)
      this.#break(entry, `balance after it is ${balanceMicro}, the entries up to it sum to ${dueMicro}`);
    this.#lastSeq = seq;
    this.#balanceMicro = balanceMicro;
    const wrong = this.onEntry(entry);
    if (wrong) this.#break(entry, wrong);
    if (!this.#broken.at(-1)?.startsWith(nameOf(entry))) this.#checkSeal(entry);
    this.#head = entry.hash;
  }

  /** Checks number, facts and hash of an entry without other faults. */
  #checkSeal(entry: EntryDoc): void {
    const { n, source, amountMicro, facts, hash } = entry;
    if (n !== this.entries) this.#break(entry, `its number is ${n}, expected ${this.entries}`);
    else if (facts && (source !== 'mining' || amountOfFacts(facts) !== amountMicro))
      this.#break(entry, `its amount ${amountMicro} does not match its facts ${facts}`);
    // The operator's text is emptied when the user is erased; the hash still includes it.
    else if (this.account.erasedAtMs !== null && source === 'correction' && entry.reason === '') return;
    else if (hash !== hashOf(this.#head, entry)) this.#break(entry, 'its hash is not the hash of its fields');
  }

  #break(entry: EntryDoc, what: string): void {
    this.#broken.push(`${nameOf(entry)}: ${what}`);
  }
}

const nameOf = ({ _id, seq }: EntryDoc) => `entry ${_id} (seq ${seq})`;
const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();

/** @returns null for an entry that cannot be hashed */
function hashOf(before: string, { _id: key, ...entry }: EntryDoc): string | null {
  try {
    return entryHash(sha256, before, chainEntry({ ...entry, key }));
  } catch {
    return null;
  }
}

/** Checks the balance and the total of each source against the entries and the open amounts. */
export function checkBalance({ account, sumMicro, bySource, found }: Chain): void {
  const { totals, open, balanceMicro } = account;
  const openCommissionMicro = account.openCommission?.amountMicro ?? 0n;
  const dueMicro = sumMicro + open.amountMicro + openCommissionMicro;
  if (balanceMicro !== dueMicro)
    found.wrong(`balance ${balanceMicro}, entries and open sum to ${dueMicro}`, balanceMicro - dueMicro);
  const due = { ...bySource };
  plus(due, 'mining', open.amountMicro);
  plus(due, 'commission', openCommissionMicro);
  for (const source of new Set([...names(due), ...names(totals.bySource)]))
    found.sum(`the total of ${source}`, totals.bySource[source] ?? 0n, due[source] ?? 0n);
}

/**
 * Checks one account against its entries alone: balance, chain, and the total of each source.
 * @param entries in any order
 * @returns number of entries that count
 */
export function checkSums(account: AccountDoc, entries: readonly EntryDoc[], found: Found): number {
  const chain = new Chain(account, found);
  for (const entry of [...entries].sort((a, b) => (a.seq < b.seq ? -1 : 1))) chain.add(entry);
  chain.end();
  checkBalance(chain);
  if (chain.aboveSeq !== null) found.wrong(behind(account, chain.aboveSeq));
  return chain.entries;
}

export const behind = ({ seq }: Pick<AccountDoc, 'seq'>, aboveSeq: bigint) =>
  `the account has seq ${seq}, behind its entry of seq ${aboveSeq}`;

export function plus(bySource: BySource, source: Source, micro: bigint): void {
  bySource[source] = (bySource[source] ?? 0n) + micro;
}

export const names = (bySource: BySource): Source[] => Object.keys(bySource) as Source[];
