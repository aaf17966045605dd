import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, OF_ALL, timeMs } from './envelope.js';

const dayKey = z.string();

/**
 * The all-time ranking at the end of a UTC day, compared with the previous close: those of the first RANKS_CLOSED users who
 * moved far enough for a notice (rules/notices.ts). One event for all, under NOBODY; `seq` rises with each day.
 */
export const ranksClosed = eventKind('ranks', 'closed', OF_ALL, {
  dayKey,
  /** The previously closed day: the day before, or an earlier one when the clock was moved. Null for the first. */
  beforeDay: dayKey.nullable(),
  closedAt: timeMs,
  moved: z.array(
    z.object({
      userId: id128,
      rank: z.number().int().min(1),
      before: z.number().int().min(1),
      /** Number of users who passed this user, and the nearest of them. */
      passedBy: z.number().int().min(0),
      nearest: id128.optional(),
    }),
  ),
});
