import type { mongo } from 'mongoose';
import { CLOCK_OFF_MS_MAX } from '../bounds.js';
import { firstMatching, type IdFilter } from './first-matching.js';

/** Which marks a sweep takes, ms since epoch. */
export interface DueTimes {
  /** Those that have come by then. */
  byMs: number;
  /** And those after this: no wait is so long. */
  aheadMs: number;
}

/**
 * When marks are due whose process never waits longer than that. A mark further ahead was written while a process's clock was
 * ahead: it is due now, or its document would wait until the true time has come up to it.
 * @param longestMs the longest wait that is ever set, ms; beside it the writer's clock may be ahead by CLOCK_OFF_MS_MAX, and ours behind
 */
export function dueTimes(nowMs: number, longestMs: number, byMs = nowMs): DueTimes {
  return { byMs, aheadMs: Math.max(byMs, nowMs + longestMs + 2 * CLOCK_OFF_MS_MAX) };
}

/** Whether a mark is due. */
export function isDue(markMs: number, { byMs, aheadMs }: DueTimes): boolean {
  return markMs <= byMs || markMs > aheadMs;
}

type Range = Record<string, { $lte: number } | { $gt: number }>;

/** The same as two ranges of an index on the field. */
function ranges(field: string, { byMs, aheadMs }: DueTimes): [Range, Range] {
  return [{ [field]: { $lte: byMs } }, { [field]: { $gt: aheadMs } }];
}

/**
 * Documents whose mark is due: those whose time has come, and behind them those with a mark too far ahead. Two reads, each along the index.
 * @param read the first documents of a filter in the order of the field, at most as many as given
 */
export async function readDue<D>(
  field: string,
  times: DueTimes,
  limit: number,
  read: (filter: Range, limit: number) => Promise<D[]>,
): Promise<D[]> {
  const [come, ahead] = ranges(field, times);
  const first = await read(come, limit);
  return first.length >= limit ? first : [...first, ...(await read(ahead, limit - first.length))];
}

/**
 * Documents of a collection whose mark is due and that this replica takes, the longest waiting first: `readDue` along an index on the field.
 * @param times of the longest wait that is ever set (`dueTimes`)
 * @param of those among which it looks; all when left out
 */
export function firstDue<D extends { _id: string }>(
  documents: mongo.Collection<D>,
  field: string,
  times: DueTimes,
  limit: number,
  takes: IdFilter,
  options: mongo.FindOptions = {},
  of: mongo.Filter<D> = {},
): Promise<mongo.WithId<D>[]> {
  return readDue(field, times, limit, (filter, most) =>
    firstMatching(documents.find({ ...of, ...filter } as mongo.Filter<D>, options).sort({ [field]: 1 }), most, takes),
  );
}
