import { describe, expect, it } from 'vitest';
import { type Account, newAccount } from '../ledger/account.js';
import { issuedBy } from './count.js';

const account = (changes: Partial<Account>): Account => ({ ...newAccount('a'.repeat(32), 0, 0), ...changes });
const day = (key: string, bySource: Account['totals']['day']['bySource']): Account['totals'] => {
  const { totals } = account({});
  return { ...totals, day: { ...totals.day, key, bySource } };
};

const MONDAY = '2026-11-16';
const TUESDAY = '2026-11-17';
const before = account({ seq: 4n, totals: day(MONDAY, { mining: 100n, task: 7n }) });

describe('the amount credited by a change of an account', () => {
  it('is the increase of its day, source by source', () => {
    const after = account({ seq: 5n, totals: day(MONDAY, { mining: 130n, task: 7n, welcome: 9n }) });
    expect([...issuedBy(before, after)]).toEqual([[MONDAY, { mining: 30n, welcome: 9n }]]);
    expect([...issuedBy(before, { ...before, seq: 5n })]).toEqual([]);
  });

  it('counts an ended day to its end and the new day from its start, and skips days published before', () => {
    const ended = (key: string, seq: bigint, mining: bigint) => ({
      kind: 'day' as const,
      key,
      seq,
      day: { userId: before.userId, dayKey: key, bySource: { mining, task: 7n }, ranMs: 0 },
    });
    const after = account({
      seq: 5n,
      totals: day(TUESDAY, { mining: 20n }),
      outbox: [ended('2026-11-15', 4n, 999n), ended(MONDAY, 5n, 150n)],
    });
    expect([...issuedBy(before, after)]).toEqual([
      [MONDAY, { mining: 50n }],
      [TUESDAY, { mining: 20n }],
    ]);
  });
});
