import { createHash } from 'node:crypto';
import { chainEntry, chainStart, entryHash } from '@cord/contracts/proof/chain';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();

/** Returns the empty chain of a made-up account. */
export const newChain = (userId: string): AccountDoc['chain'] => ({
  n: 0,
  head: chainStart(sha256, userId),
  salt: 'c2FsdA==',
});

/** Appends an entry to a chain, sealed as by the ledger; returns both. */
export function sealedBy(
  chain: AccountDoc['chain'],
  entry: Omit<EntryDoc, 'n' | 'hash' | 'facts'>,
): { entry: EntryDoc; chain: AccountDoc['chain'] } {
  const { _id: key, ...unsealed } = { ...entry, n: chain.n + 1, facts: '', hash: '' };
  const hash = entryHash(sha256, chain.head, chainEntry({ ...unsealed, key }));
  return { entry: { ...unsealed, _id: key, hash }, chain: { ...chain, n: unsealed.n, head: hash } };
}

/** Seals the entries of one account. @param entries sorted by seq */
export function sealedAll(userId: string, entries: readonly Omit<EntryDoc, 'n' | 'hash' | 'facts'>[]) {
  let chain = newChain(userId);
  const sealed = entries.map((entry) => {
    const next = sealedBy(chain, entry);
    chain = next.chain;
    return next.entry;
  });
  return { entries: sealed, chain };
}
