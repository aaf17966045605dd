import type { AccountDoc, EntryDoc } from '../../services/mining/store/collections.js';
import { Found, type Judgement, type OnFinding, report } from './findings.js';
import { checkSums } from './ledger/chain.js';
import { rulesOf } from './ledger/rates.js';
import { auditEach, type Checked, PATIENCE, type Patience } from './patience.js';
import type { BooksSource } from './store/source.js';
import { checkUser } from './user-check.js';

/** The result of an audit of the ledger and all claims. */
export interface Audited {
  accounts: number;
  entries: number;
  /** Number of reported findings. */
  findings: number;
  /** Number of updates in transit between databases. */
  behind: number;
  driftMicro: bigint;
}

/**
 * Audits each user: account, entries, totals, sessions, and claims against both. One user and one entry are in memory at
 * a time. It is safe while the system runs: entries never change, and a failing user is read again, alone (patience.ts).
 * @throws Error for a document that only a newer release can read
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

/** The judgement of a store without writers: nothing is in transit, and no time matters. */
const AT_REST: Judgement = { nowMs: Number.MAX_SAFE_INTEGER, lagMs: 0 };

/**
 * Audits only the sums of each account, in a ledger without writers: whether a store was loaded completely.
 * @throws Error for a document that only a newer release can read
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

/** Returns the faults of one account, by its entries alone. @param entries in any order */
export function sumsOf(account: AccountDoc, entries: readonly EntryDoc[]): string[] {
  const found = new Found(`account ${account._id}`, AT_REST);
  checkSums(account, entries, found);
  return found.findings.map(({ of, what }) => `${of}: ${what}`);
}
