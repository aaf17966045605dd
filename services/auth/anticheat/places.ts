import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { ADDRESS_KEPT_MS } from './levels.js';

/** Node time by address from a node event: credited ms of all sessions, the current address last. */
export interface NodeTime {
  userId: string;
  /** Version of the account in the event. */
  seq: number;
  atMs: number;
  /** `fromRanMs`: the node's time when this count began, ms. */
  addresses: readonly { hash: string; ms: number; fromRanMs: number }[];
  /** Credited ms of the UTC day over all addresses. */
  day: { dayKey: string; ms: number };
}

/** A user's time at one address, by UTC day, so that it can be deleted day by day. */
export interface Place {
  addressHash: string;
  seq: number;
  /** The total of the last event, and the node's time when that count began, ms. */
  totalMs: number;
  fromRanMs: number;
  days: { key: string; ms: number }[];
  lastAtMs: number;
}

/**
 * Returns the places that an event changes. Totals only rise, so a user's last event includes all earlier ones. Its increase
 * counts for its own day up to that day's node time, the current address first; the rest counts for the day before.
 */
export function placesAfter(known: ReadonlyMap<string, Place>, time: NodeTime): Place[] {
  const today = dayKey(time.atMs);
  const countedMs = [...known.values()].reduce((sum, { days }) => sum + msOf(days, today), 0);
  let roomMs = nodeTimeOn(time, today) - countedMs;
  const changed: Place[] = [];
  for (const at of time.addresses.toReversed()) {
    const { hash, ms, fromRanMs } = at;
    const before = known.get(hash);
    if (before && (before.seq >= time.seq || (before.totalMs === ms && !isCountedAnew(before, at)))) continue;
    const moreMs = ms - (before && !isCountedAnew(before, at) ? before.totalMs : 0);
    const todayMs = Math.min(moreMs, Math.max(0, roomMs));
    roomMs -= todayMs;
    changed.push({
      ...before,
      addressHash: hash,
      seq: time.seq,
      totalMs: ms,
      fromRanMs,
      days: withTime(before?.days ?? [], time.atMs, todayMs, moreMs - todayMs),
      lastAtMs: Math.max(time.atMs, before?.lastAtMs ?? 0),
    });
  }
  return changed;
}

function nodeTimeOn({ day }: NodeTime, today: string): number {
  return day.dayKey === today ? day.ms : 0;
}

/** Returns whether mining had forgotten the address, so that its time is counted from 0 again. */
function isCountedAnew(before: Place, { fromRanMs }: NodeTime['addresses'][number]): boolean {
  return fromRanMs !== before.fromRanMs;
}

function withTime(days: Place['days'], atMs: number, todayMs: number, earlierMs: number): Place['days'] {
  const oldest = dayKey(Math.max(0, atMs - ADDRESS_KEPT_MS));
  const more = new Map([
    [dayKey(atMs - DAY_MS), earlierMs],
    [dayKey(atMs), todayMs],
  ]);
  const others = days.filter(({ key }) => key >= oldest && !more.has(key));
  const changed = [...more].map(([key, ms]) => ({ ...dayOf(days, key), key, ms: msOf(days, key) + ms }));
  return [...others, ...changed.filter(({ ms }) => ms > 0)];
}

function dayOf(days: Place['days'], wanted: string): Place['days'][number] | undefined {
  return days.find(({ key }) => key === wanted);
}

function msOf(days: Place['days'], wanted: string): number {
  return dayOf(days, wanted)?.ms ?? 0;
}
