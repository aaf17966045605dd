import { chainEntry, entryHash } from '@cord/contracts/proof/chain';
import type { Account, Entry } from './account.js';
import { sha256 } from './chain.js';

/** An entry before it is added to the chain. */
export type Draft = Omit<Entry, 'userId' | 'n' | 'hash'>;

/** Appends an entry to the account's chain and outbox. The head changes in the same compare-and-set that writes the entry. */
export function sealed(account: Account, draft: Draft): Account {
  const { userId, chain, outbox } = account;
  // A lone surrogate has no UTF-8 encoding: the store would replace it by this character.
  const reason = draft.reason.replace(/\p{Surrogate}/gu, '\ufffd');
  const unsealed = { ...draft, reason, userId, n: chain.n + 1, hash: '' };
  const hash = entryHash(sha256, chain.head, chainEntry(unsealed));
  const entry: Entry = { ...unsealed, hash };
  const { key, seq, n } = entry;
  return {
    ...account,
    seq,
    chain: { ...chain, n, head: hash },
    outbox: [...outbox, { kind: 'entry', key, seq, entry }],
  };
}
