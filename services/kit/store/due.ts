import type { mongo } from 'mongoose';
import { CLOCK_OFF_MS_MAX } from '../bounds.js';
import { firstMatching, type IdFilter } from './first-matching.js';

/** Bounds of the marks that a sweep takes, ms since epoch. */
export interface DueTimes {
  /** Marks up to this time. */
  byMs: number;
  /** And marks after this time: no wait is so long. */
  aheadMs: number;
}

/**
 * Computes when marks are due in a process with a maximum wait. A mark further ahead was written while a process's clock was ahead: it
 * is due now, otherwise its document would wait until the true time reaches it.
 * @param longestMs longest wait ever set, ms; on top the writer's clock may be ahead by CLOCK_OFF_MS_MAX, and ours behind
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
 * Reads documents with a due mark: first those whose time has come, then those with a mark too far ahead. Two reads, each along the index.
 * @param read returns the first documents of a filter in the field's order, at most `limit`
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
 * Returns documents with a due mark that this replica takes, longest waiting first: `readDue` along an index on the field.
 * @param times for the longest wait ever set (`dueTimes`)
 * @param of limits the search to these; all when omitted
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
