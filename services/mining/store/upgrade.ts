import { DAY_MS, dayStartOf } from '@cord/contracts/rules/days';
import type { Account, Day, Entry } from '../ledger/account.js';
import { entriesWaiting } from '../ledger/waiting.js';
import type { EntryDoc, Models } from './models.js';

/** Entries read at a time. */
const PAGE = 256;

/**
 * An account as this release has it. The release before kept no sources of the present day: they are summed from the day's
 * entries, written or waiting; mining alone it knew, with what is open. What is made here is stored by the next change.
 */
export async function upgraded(models: Models, account: Account): Promise<Account> {
  if ((account.totals.day as Partial<Day>).bySource !== undefined) return account;
  const bySource = await sourcesOfDay(models, account);
  return { ...account, totals: { ...account.totals, day: { ...account.totals.day, bySource } } };
}

async function sourcesOfDay(models: Models, account: Account): Promise<Day['bySource']> {
  const { key, miningMicro } = account.totals.day;
  if (key === '') return {};
  const bySource: Record<string, bigint> = miningMicro > 0n ? { mining: miningMicro } : {};
  const written = await entriesSince(models, account.userId, dayStartOf(key));
  const entries = new Map([...written, ...entriesWaiting(account)].map((entry) => [entry.key, entry]));
  for (const { source, amountMicro, atMs, seq } of entries.values()) {
    const within = atMs >= dayStartOf(key) && atMs < dayStartOf(key) + DAY_MS;
    if (source === 'mining' || !within || seq > account.seq) continue;
    bySource[source] = (bySource[source] ?? 0n) + amountMicro;
  }
  return bySource;
}

/** The newest entries of a user, back to a time. */
async function entriesSince(models: Models, userId: string, sinceMs: number): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let belowSeq: bigint | null = null; ; ) {
    const page: EntryDoc[] = await models.entries
      .find(belowSeq === null ? { userId } : { userId, seq: { $lt: belowSeq } })
      .sort({ seq: -1 })
      .limit(PAGE)
      .lean<EntryDoc[]>();
    found.push(...page.filter(({ atMs }) => atMs >= sinceMs).map(({ _id, ...rest }) => ({ ...rest, key: _id })));
    const last = page.at(-1);
    if (page.length < PAGE || !last || last.atMs < sinceMs) return found;
    belowSeq = last.seq;
  }
}
