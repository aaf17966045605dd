import type { Account, Entry } from '../../ledger/account.js';
import type { presentLeaf } from '../../roots/leaves.js';

/** Any fixed day, so that leaves can be compared. */
const DAY = '2026-11-26';

/**
 * Checks after each step the leaf that each account would have in a day's root: it matches the entries, and it
 * continues the former leaf as the daily job requires before it publishes.
 */
export class Leaves {
  private readonly before = new Map<string, { n: number; text: string }>();

  constructor(private readonly leafOf: typeof presentLeaf) {}

  /** @param entries all entries of the account in the order of their seq @returns the errors */
  findErrors(account: Account, entries: readonly Entry[]): string[] {
    const { userId, erasedAtMs } = account;
    // An erased account has no leaf.
    if (erasedAtMs !== null) return [];
    const leaf = this.leafOf(DAY, { ...account, _id: userId });
    const sum = entries.reduce((total, { amountMicro }) => total + amountMicro, 0n);
    const wrong: string[] = [];
    if (leaf.n !== String(entries.length) || leaf.sum !== String(sum))
      wrong.push(`its leaf has ${leaf.sum} of ${leaf.n} entries, expected ${sum} of ${entries.length}`);
    const before = this.before.get(userId);
    const now = { n: entries.length, text: JSON.stringify(leaf) };
    if (before && (now.n < before.n || (now.n === before.n && now.text !== before.text)))
      wrong.push(`its leaf of ${now.n} entries does not extend the one of ${before.n}`);
    this.before.set(userId, now);
    return wrong;
  }

  /** Returns a function that restores an account's current leaf as the last one, for a failover that rolls later ones back. */
  undoOf(userId: string): () => void {
    const last = this.before.get(userId);
    return () => {
      if (last) this.before.set(userId, last);
      else this.before.delete(userId);
    };
  }
}
