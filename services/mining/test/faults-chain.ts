import type { Fault } from '@cord/kit/testing/fault-copies';

/** Faults in the sealing of entries, which lets each user verify them (../ledger/README.md). */
export const CHAIN_FAULTS: readonly Fault[] = [
  {
    name: 'the head does not advance',
    file: 'ledger/sealing.ts',
    from: 'chain: { ...chain, n, head: hash },',
    to: 'chain: { ...chain, n },',
  },
  {
    name: 'an entry is sealed twice',
    file: 'ledger/sealing.ts',
    from: 'chain: { ...chain, n, head: hash },',
    to: 'chain: { ...chain, n, head: entryHash(sha256, hash, chainEntry(entry)) },',
  },
  {
    name: 'an entry is sealed over the account before it was settled',
    file: 'ledger/credit.ts',
    from: 'pushEntry(closed, draft, moment)',
    to: 'pushEntry({ ...closed, chain: account.chain }, draft, moment)',
  },
  {
    name: 'the time that an entry was made in begins anew with each save',
    file: 'ledger/settle.ts',
    from: 'ms: open.made.ms + ms }',
    to: 'ms }',
  },
  {
    name: 'the carry before an entry is the one after it',
    file: 'ledger/settle.ts',
    from: 'made: openFacts(before, stretch.rateNano, ms)',
    to: 'made: openFacts({ ...before, node: { ...node, carry } }, stretch.rateNano, ms)',
  },
  {
    name: 'what was earned at two rates has the last one',
    file: 'ledger/settle.ts',
    from: 'open.made && open.rateNano === rateNano ?',
    to: 'open.made ?',
  },
  {
    name: 'a leaf counts what is no entry yet',
    file: 'roots/leaves.ts',
    from: 'return balanceMicro - open.amountMicro - (openCommission',
    to: 'return balanceMicro - (openCommission',
  },
  {
    name: 'a leaf counts commission that is no entry yet',
    file: 'roots/leaves.ts',
    from: ' - (openCommission?.amountMicro ?? 0n)',
    to: '',
  },
  {
    name: 'the salt stays when a user is erased',
    file: 'ledger/factors.ts',
    from: "chain: { ...settled.chain, salt: '' },",
    to: '',
  },
];
