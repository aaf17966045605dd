import { createHash } from 'node:crypto';
import { amountOfFacts, chainEntry } from '@cord/contracts/proof/chain';
import type { Account, Entry } from '../../ledger/account.js';

const hashOf = (list: readonly string[]) => createHash('sha256').update(JSON.stringify(list)).digest('base64');

/** An independent check of each account's chain: hashes from the fields of the entries, without the ledger's code. */
export class Chains {
  /** The hash before an entry when it was verified: entries never change, and are checked after each step. */
  private readonly verifiedAfter = new WeakMap<Entry, string>();

  /** @param entries all entries of the account in the order of their seq @returns the errors */
  findErrors({ userId, chain, erasedAtMs }: Account, entries: readonly Entry[]): string[] {
    const wrong: string[] = [];
    let head = hashOf(['cord/chain/1', userId]);
    for (const [at, entry] of entries.entries()) {
      if (entry.n !== at + 1) wrong.push(`entry ${entry.key} has number ${entry.n}, expected ${at + 1}`);
      if (this.verifiedAfter.get(entry) !== head) wrong.push(...this.#checkEntry(entry, head, erasedAtMs !== null));
      head = entry.hash;
    }
    if (chain.n !== entries.length) wrong.push(`the chain has ${chain.n} of ${entries.length} entries`);
    if (chain.head !== head) wrong.push('the head is not the hash of the last entry');
    if ((chain.salt === '') !== (erasedAtMs !== null)) wrong.push('the salt does not match the erasure');
    return wrong;
  }

  #checkEntry(entry: Entry, before: string, isErased: boolean): string[] {
    const { n, seq, key, source, amount, balance, at, reason, facts } = chainEntry(entry);
    const due = hashOf(['cord/entry/1', before, n, seq, key, source, amount, balance, at, reason, facts]);
    // An erasure removes texts by operators, and the hash stays.
    const isBlank = isErased && source === 'correction' && reason === '';
    if (entry.hash !== due && !isBlank) return [`the hash of entry ${key} does not match its fields`];
    if (facts !== '' && amountOfFacts(facts) !== entry.amountMicro)
      return [`the amount of entry ${key} does not match its facts`];
    this.verifiedAfter.set(entry, before);
    return [];
  }
}
