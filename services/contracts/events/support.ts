import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKindOfTwo, openEnum, timeMs } from './envelope.js';

/**
 * An operator has answered a request: one message per request, `cord.support.v1.answered.<user>.<request>`. `seq` rises with
 * each answer. Contains no text of either side.
 */
export const supportAnswered = eventKindOfTwo('support', 'answered', 832, {
  requestId: id128,
  kind: openEnum(['support', 'appeal', 'refund']),
  answeredAt: timeMs,
  /** The author's network check state when an appeal is answered. Absent for other kinds, and from older releases. */
  network: z
    .object({
      level: z.number().int().min(0),
      /** Others mine from the address, and no operator has lifted the penalty. */
      isFlagged: z.boolean(),
      /** When an operator's clearance restored a reduced rate; null when none did. */
      wholeSince: timeMs.nullable(),
    })
    .optional(),
});
