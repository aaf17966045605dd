import { checkCorrections } from './claims/corrections.js';
import { Paid } from './claims/paid.js';
import { checkErasure, checkFactors, checkReferralBonus, checkRewards, checkWelcome } from './claims/people.js';
import { checkTasks } from './claims/tasks.js';
import { Found, type Judgement } from './findings.js';
import { behind } from './ledger/chain.js';
import type { Rules } from './ledger/rates.js';
import { checkTotals, Sessions } from './ledger/totals.js';
import { Walk } from './ledger/walk.js';
import type { UserBooks } from './store/source.js';

/** Data of the audit beyond a single user. */
export interface UserContext {
  readonly judgement: Judgement;
  readonly rules: Rules;
  /** Returns the current seq of an account. */
  readonly seqOf: (userId: string) => Promise<bigint | null>;
}

/** Checks one user. @returns the findings, and the number of entries read */
export async function checkUser(books: UserBooks, context: UserContext): Promise<{ found: Found; entries: number }> {
  const { account, userId } = books;
  const found = new Found(`account ${userId}`, context.judgement);
  const paid = new Paid(books, found);
  const entries = account ? await checkLedger(books, paid, found, context) : await countOrphans(books, found);
  checkErasure(paid);
  checkFactors(paid);
  checkWelcome(paid, context.rules.books);
  checkReferralBonus(paid);
  checkRewards(paid);
  checkTasks(paid);
  checkCorrections(paid);
  paid.checkOwed();
  return { found, entries };
}

async function checkLedger(books: UserBooks, paid: Paid, found: Found, { rules, seqOf }: UserContext): Promise<number> {
  const { account, days, userId } = books;
  if (!account) return 0;
  const sessions = new Sessions(account, found, rules);
  for await (const session of books.sessions) sessions.add(session);
  sessions.end();
  const walk = new Walk(account, days, found, rules);
  for await (const entry of books.entries) {
    walk.add(entry);
    paid.add(entry, account);
  }
  walk.end();
  checkTotals(walk);
  const { aboveSeq } = walk.chain;
  // In a running system an entry above the account's seq came after the account was read; otherwise the account is behind.
  if (aboveSeq !== null && ((await seqOf(userId)) ?? 0n) < aboveSeq) found.wrong(behind(account, aboveSeq));
  return walk.chain.entries;
}

/** Checks that without an account there are no entries. */
async function countOrphans(books: UserBooks, found: Found): Promise<number> {
  let entries = 0;
  let micro = 0n;
  let first = '';
  for await (const { _id, amountMicro } of books.entries) {
    first ||= _id;
    entries += 1;
    micro += amountMicro;
  }
  if (entries > 0) found.wrong(`${entries} entries and no account; the first is ${first}`, micro);
  if (books.days.length > 0) found.wrong(`${books.days.length} finished days and no account`);
  return entries;
}
