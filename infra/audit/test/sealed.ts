import { createHash } from 'node:crypto';
import { chainEntry, chainStart, entryHash } from '@cord/contracts/proof/chain';
import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();

/** Chain of a made-up account. */
export const newChain = (userId: string): AccountDoc['chain'] => ({
  n: 0,
  head: chainStart(sha256, userId),
  salt: 'c2FsdA==',
});

/** An entry as the ledger seals it, at the end of a chain, and the chain with it. */
export function sealedBy(
  chain: AccountDoc['chain'],
  entry: Omit<EntryDoc, 'n' | 'hash' | 'facts'>,
): { entry: EntryDoc; chain: AccountDoc['chain'] } {
  const { _id: key, ...unsealed } = { ...entry, n: chain.n + 1, facts: '', hash: '' };
  const hash = entryHash(sha256, chain.head, chainEntry({ ...unsealed, key }));
  return { entry: { ...unsealed, _id: key, hash }, chain: { ...chain, n: unsealed.n, head: hash } };
}

/** The entries of one account with their chain. @param entries in the order of their seq */
export function sealedAll(userId: string, entries: readonly Omit<EntryDoc, 'n' | 'hash' | 'facts'>[]) {
  let chain = newChain(userId);
  const sealed = entries.map((entry) => {
    const next = sealedBy(chain, entry);
    chain = next.chain;
    return next.entry;
  });
  return { entries: sealed, chain };
}
