import { periodKeys } from '@cord/contracts/rules/days';
import type { Account, Entry, FinishedDay } from '../../ledger/account.js';

import type { DayLimit, DayLimits } from '../../ledger/credit-table.js';

type Sums = Map<string, bigint>;

/**
 * Checks that each UTC day is the sum of its entries by source: finished days as relayed, the current one with open amounts.
 * @param entries of the account, written and waiting
 * @param written finished days of all users, by `<userId>:<dayKey>`
 * @returns the errors
 */
export function findDayErrors(
  account: Account,
  entries: readonly Entry[],
  written: ReadonlyMap<string, FinishedDay>,
): string[] {
  const due = new Map<string, Sums>();
  const add = (day: string, source: string, amountMicro: bigint) => {
    if (amountMicro === 0n) return;
    const sums: Sums = due.get(day) ?? new Map();
    due.set(day, sums.set(source, (sums.get(source) ?? 0n) + amountMicro));
  };
  for (const { atMs, source, amountMicro } of entries) add(periodKeys(atMs).day, source, amountMicro);
  const { day } = account.totals;
  add(day.key, 'mining', account.open.amountMicro);
  add(day.key, 'commission', account.openCommission.amountMicro);

  const waiting = account.outbox.flatMap((item) => (item.kind === 'day' ? [item.day] : []));
  const stored = new Map<string, Sums>([[day.key, sumsOf(day.bySource)]]);
  for (const one of [...waiting, ...daysOf(account.userId, written)]) {
    if (one.dayKey >= day.key) return [`day ${one.dayKey} ended, but the present day is ${day.key}`];
    stored.set(one.dayKey, sumsOf(one.bySource));
  }
  const keys = [...new Set([...due.keys(), ...stored.keys()])].filter((key) => key !== '');
  return keys.flatMap((key) => {
    const [made, have] = [textOf(due.get(key)), textOf(stored.get(key))];
    return made === have ? [] : [`day ${key} has ${have}, its entries sum to ${made}`];
  });
}

/** Checks the daily limits of sources, by number and amount of entries. @returns the errors */
export function daysAboveLimit(entries: readonly Entry[], limits: DayLimits): string[] {
  const taken = new Map<string, { credits: number; micro: bigint; limit: DayLimit }>();
  for (const { atMs, source, amountMicro } of entries) {
    const limit = limits[source];
    if (!limit) continue;
    const name = `${periodKeys(atMs).day} ${source}`;
    const { credits, micro } = taken.get(name) ?? { credits: 0, micro: 0n };
    taken.set(name, { credits: credits + 1, micro: micro + amountMicro, limit });
  }
  return [...taken].flatMap(([name, { credits, micro, limit }]) => {
    const isWithin = credits <= (limit.credits ?? credits) && micro <= limit.micro;
    return isWithin ? [] : [`${name} accepted ${credits} credits of ${micro}`];
  });
}

/** Counts the finished days of an account. */
export function countFinishedDays(account: Account, written: ReadonlyMap<string, FinishedDay>): number {
  const waiting = account.outbox.flatMap((item) => (item.kind === 'day' ? [item.day] : []));
  return new Set([...waiting, ...daysOf(account.userId, written)].map((day) => day.dayKey)).size;
}

function* daysOf(userId: string, written: ReadonlyMap<string, FinishedDay>): Generator<FinishedDay> {
  for (const day of written.values()) if (day.userId === userId) yield day;
}

const sumsOf = (bySource: FinishedDay['bySource']): Sums =>
  new Map(Object.entries(bySource).filter(([, micro]) => micro !== 0n));

const textOf = (sums: Sums | undefined): string =>
  [...(sums ?? [])]
    .map(([source, micro]) => `${source} ${micro}`)
    .sort()
    .join(', ');
