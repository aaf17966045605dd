import { DAY_MS, dayKey, dayStartMs, dayStartOf } from '@cord/contracts/rules/days';
import type { Backfill } from '@cord/kit/migration/plan';
import type { Connection } from 'mongoose';
import type { Account, Entry, FinishedDay, Node } from '../ledger/account.js';
import { daysWaiting, entriesWaiting, sessionsWaiting } from '../ledger/waiting.js';
import type { AccountDoc, DayDoc, EntryDoc, SessionDoc } from '../store/models.js';

/** A stretch of time in which a node ran. */
type Run = Pick<SessionDoc, 'startedAtMs' | 'creditedUntilMs'>;

/**
 * The days before the first that an account told itself, made of its entries and sessions. A day that stands already is
 * left alone: the account told it. What the account holds itself (its present day, days in its outbox) comes by the relay.
 */
export const daysOfEntries: Backfill = {
  name: 'days-of-entries',
  async each(store, document, hold) {
    const account = document as AccountDoc;
    const { key } = account.totals.day;
    if (key === '' || dayStartMs(account.openedAtMs) >= dayStartOf(key)) return;
    // The account was read before its entries: one that the relay writes in between is found twice, never missed.
    const days = pastDays(account, await entriesOf(store, account), await runsOf(store, account));
    if (days.length === 0) return;
    await hold();
    await store.collection<DayDoc>('days').bulkWrite(
      days.map((day) => ({
        updateOne: {
          filter: { _id: `${day.userId}:${day.dayKey}` },
          update: { $setOnInsert: day },
          upsert: true,
        },
      })),
    );
  },
};

/** Days that are over, by entries and runs; those that wait in the outbox as days are the relay's. */
export function pastDays(account: AccountDoc, entries: readonly Entry[], runs: readonly Run[]): FinishedDay[] {
  const present = account.totals.day.key;
  const own = new Set(daysWaiting(account).map((day) => day.dayKey));
  const days = new Map<string, { bySource: Record<string, bigint>; ranMs: number }>();
  const dayOf = (key: string) => {
    const there = days.get(key) ?? { bySource: {}, ranMs: 0 };
    days.set(key, there);
    return there;
  };
  for (const { atMs, source, amountMicro } of entries) {
    // What was mined up to midnight stood at midnight in release 1.0.0; since then 1 ms before it.
    const { bySource } = dayOf(dayKey(source === 'mining' ? atMs - 1 : atMs));
    bySource[source] = (bySource[source] ?? 0n) + amountMicro;
  }
  for (const run of runs) for (const { key, ms } of byDay(run)) dayOf(key).ranMs += ms;
  return [...days]
    .filter(([key]) => key < present && !own.has(key))
    .map(([key, day]) => ({ userId: account._id, dayKey: key, ...day }));
}

/** How long a run lasted on each day that it touches. */
function byDay({ startedAtMs, creditedUntilMs }: Run): { key: string; ms: number }[] {
  const parts: { key: string; ms: number }[] = [];
  for (let fromMs = startedAtMs; fromMs < creditedUntilMs; ) {
    const toMs = Math.min(creditedUntilMs, dayStartMs(fromMs) + DAY_MS);
    parts.push({ key: dayKey(fromMs), ms: toMs - fromMs });
    fromMs = toMs;
  }
  return parts;
}

/** All entries of an account, each once: written, and waiting to be. */
async function entriesOf(store: Connection, account: AccountDoc): Promise<Entry[]> {
  const found = new Map<string, Entry>(entriesWaiting(account).map((entry) => [entry.key, entry]));
  const written = store.collection<EntryDoc>('entries').find({ userId: account._id }).sort({ seq: -1 });
  for await (const { _id: key, ...entry } of written) found.set(key, { ...entry, key });
  return [...found.values()];
}

/** When the node ran: sessions that are over, those that wait to be written, and the present one. */
async function runsOf(store: Connection, account: AccountDoc): Promise<Run[]> {
  const { _id, node } = account;
  const runs = new Map<string, Run>(sessionsWaiting(account).map((session) => [session.id, session]));
  for await (const session of store.collection<SessionDoc>('sessions').find({ userId: _id })) {
    runs.set(session._id, session);
  }
  if (running(node)) runs.set(node.sessionId, { startedAtMs: node.startedAtMs, creditedUntilMs: node.lastAtMs });
  return [...runs.values()];
}

function running(node: Account['node']): node is Node & { sessionId: string } {
  return node.status === 'active' && node.sessionId !== null;
}
