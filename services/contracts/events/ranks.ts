import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKind, OF_ALL, timeMs } from './envelope.js';

const dayKey = z.string();

/**
 * The ranking of all time as it stood when a UTC day was over, compared with the one that was closed before: who of the first
 * RANKS_CLOSED moved as far as is worth a notice (rules/notices.ts). One for all, under NOBODY; `seq` rises with each day.
 */
export const ranksClosed = eventKind('ranks', 'closed', OF_ALL, {
  dayKey,
  /** The day that was closed before: the one before it, or an earlier one where the clock was moved. Null for the first. */
  beforeDay: dayKey.nullable(),
  closedAt: timeMs,
  moved: z.array(
    z.object({
      userId: id128,
      rank: z.number().int().min(1),
      before: z.number().int().min(1),
      /** How many passed this user; the nearest of them. */
      passedBy: z.number().int().min(0),
      nearest: id128.optional(),
    }),
  ),
});
