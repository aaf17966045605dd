import type { AccountDoc, EntryDoc } from '../../../services/mining/store/collections.js';
import { ROOT } from '../starter/paths.mjs';
import { valuesOf } from './bson.ts';
import type { Backup } from './read.ts';

const SHOWN_MAX = 5;

/**
 * Audits every account of a backup against its entries before anything is replaced. Accounts are sorted by id and
 * entries by user, so one account at a time is in memory.
 * @returns wrong: the differences found, shortened
 */
export async function checkLedger(
  backup: Backup,
): Promise<{ accounts: number; entries: number; wrong: string | null }> {
  const [{ readingOf }, { sumsOf }] = await Promise.all([import('@cord/audit/reading'), import('@cord/audit/audit')]);
  const reading = await readingOf(ROOT);
  const readAccount = reading('mining', 'accounts') as (stored: object) => AccountDoc;
  const readEntry = reading('mining', 'entries') as (stored: object) => EntryDoc;
  const wrong: string[] = [];
  const sum = { accounts: 0, entries: 0, wrong: 0 };
  const found = (line: string) => {
    sum.wrong += 1;
    if (wrong.length < SHOWN_MAX) wrong.push(line);
  };
  const entries = byUser(backup.documents('mining', 'entries'), readEntry);
  let next = await entries.next();
  for await (const bytes of backup.documents('mining', 'accounts')) {
    const account = readAccount(valuesOf(bytes));
    const group = next.done ? undefined : next.value;
    if (group && group.userId < account._id) break;
    const own = group?.userId === account._id ? group.entries : [];
    if (group?.userId === account._id) next = await entries.next();
    sum.accounts += 1;
    sum.entries += own.length;
    for (const line of sumsOf(account, own)) found(line);
  }
  if (!next.done) found(`${next.value.userId} has entries, but no account`);
  const more = sum.wrong > wrong.length ? `; and ${sum.wrong - wrong.length} more` : '';
  return { ...sum, wrong: sum.wrong === 0 ? null : `${wrong.join('; ')}${more}` };
}

interface OfUser {
  userId: string;
  entries: EntryDoc[];
}

/** Groups the entries by user; those of one user are adjacent. */
async function* byUser(
  documents: AsyncIterable<Uint8Array>,
  read: (stored: object) => EntryDoc,
): AsyncGenerator<OfUser, undefined> {
  let group: OfUser | undefined;
  for await (const bytes of documents) {
    const entry = read(valuesOf(bytes));
    if (group?.userId !== entry.userId) {
      if (group) yield group;
      group = { userId: entry.userId, entries: [] };
    }
    group.entries.push(entry);
  }
  if (group) yield group;
  return undefined;
}
