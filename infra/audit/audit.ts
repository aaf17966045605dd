import type { AccountDoc, EntryDoc } from '../../services/mining/store/collections.js';
import { Found, type Judgement, type OnFinding, report } from './findings.js';
import { checkSums } from './ledger/chain.js';
import { rulesOf } from './ledger/rates.js';
import { auditEach, type Checked, PATIENCE, type Patience } from './patience.js';
import type { BooksSource } from './store/source.js';
import { checkUser } from './user-check.js';

/** What an audit of the ledger and of all claims came to. */
export interface Audited {
  accounts: number;
  entries: number;
  /** Findings that were handed on. */
  findings: number;
  /** Things on their way from one database to another. */
  behind: number;
  driftMicro: bigint;
}

/**
 * Audits each user: account, entries, totals, sessions, and claims against both. One user is in memory at a time, and of the entries one.
 * Sound while the system works: entries never change, and what does not hold at first is read again, alone (patience.ts).
 * @throws Error for a document that only a newer release reads
 */
export async function auditUsers(
  source: BooksSource,
  judgement: Judgement,
  onFinding: OnFinding,
  patience: Patience = PATIENCE,
): Promise<Audited> {
  const rules = rulesOf(await source.epochs());
  const context = { judgement, rules, seqOf: source.seqOf };
  const sum: Audited = { accounts: 0, entries: 0, findings: 0, behind: 0, driftMicro: 0n };
  const users = async function* (): AsyncGenerator<Checked> {
    for await (const { userId, ...books } of source.users()) {
      if (books.account) sum.accounts += 1;
      const { found, entries } = await checkUser({ userId, ...books }, context);
      sum.entries += entries;
      yield { found, again: async () => (await checkUser(await source.user(userId), context)).found };
    }
  };
  await auditEach(users(), patience, sum, onFinding);
  return sum;
}

/** A store into which nobody writes: nothing is on its way, and no time matters. */
const AT_REST: Judgement = { nowMs: Number.MAX_SAFE_INTEGER, lagMs: 0 };

/**
 * Audits the sums of each account of a ledger into which nobody writes, and nothing else: whether a store was loaded whole.
 * @throws Error for a document that only a newer release reads
 */
export async function auditSums(source: Pick<BooksSource, 'users'>, onFinding: OnFinding): Promise<Audited> {
  const sum: Audited = { accounts: 0, entries: 0, findings: 0, behind: 0, driftMicro: 0n };
  for await (const { userId, account, entries } of source.users()) {
    const found = new Found(`account ${userId}`, AT_REST);
    const own: EntryDoc[] = [];
    for await (const entry of entries) own.push(entry);
    if (account) sum.accounts += 1;
    if (account) sum.entries += checkSums(account, own, found);
    else if (own.length > 0) found.wrong(`${own.length} entries and no account`);
    report(found, sum, onFinding);
  }
  return sum;
}

/** What does not hold in one account, by its entries alone. @param entries in any order */
export function sumsOf(account: AccountDoc, entries: readonly EntryDoc[]): string[] {
  const found = new Found(`account ${account._id}`, AT_REST);
  checkSums(account, entries, found);
  return found.findings.map(({ of, what }) => `${of}: ${what}`);
}
