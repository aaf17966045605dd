import type { Account, Entry } from '../../ledger/account.js';
import type { presentLeaf } from '../../roots/leaves.js';

/** Any day: leaves of one day are compared. */
const DAY = '2026-11-26';

/**
 * The leaf that the root of a day would have of each account, after each step. It matches the entries, and it goes on from the leaf before as the
 * daily job requires before it publishes.
 */
export class Leaves {
  private readonly before = new Map<string, { n: number; text: string }>();

  constructor(private readonly leafOf: typeof presentLeaf) {}

  /** @param entries all of the account in the order of their seq @returns what is wrong */
  wrong(account: Account, entries: readonly Entry[]): string[] {
    const { userId, erasedAtMs } = account;
    // Who is erased has no leaf.
    if (erasedAtMs !== null) return [];
    const leaf = this.leafOf(DAY, { ...account, _id: userId });
    const sum = entries.reduce((total, { amountMicro }) => total + amountMicro, 0n);
    const wrong: string[] = [];
    if (leaf.n !== String(entries.length) || leaf.sum !== String(sum))
      wrong.push(`its leaf has ${leaf.sum} of ${leaf.n} entries, they are ${sum} of ${entries.length}`);
    const before = this.before.get(userId);
    const now = { n: entries.length, text: JSON.stringify(leaf) };
    if (before && (now.n < before.n || (now.n === before.n && now.text !== before.text)))
      wrong.push(`its leaf of ${now.n} entries does not go on from the one of ${before.n}`);
    this.before.set(userId, now);
    return wrong;
  }

  /** What makes the present leaf of an account the last one again: a failover takes later ones back. */
  undoOf(userId: string): () => void {
    const last = this.before.get(userId);
    return () => {
      if (last) this.before.set(userId, last);
      else this.before.delete(userId);
    };
  }
}
