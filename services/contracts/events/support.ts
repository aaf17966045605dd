import { z } from 'zod';
import { id128 } from '../http/fields.js';
import { eventKindOfTwo, openEnum, timeMs } from './envelope.js';

/**
 * A person has answered a request: one message a request, `cord.support.v1.answered.<user>.<request>`. `seq` rises with each
 * answer of it. No text of either side.
 */
export const supportAnswered = eventKindOfTwo('support', 'answered', 832, {
  requestId: id128,
  kind: openEnum(['support', 'appeal', 'refund']),
  answeredAt: timeMs,
  /** How the author stands with the network check when an appeal is answered. Absent of other kinds, and from releases before. */
  network: z
    .object({
      level: z.number().int().min(0),
      /** Others mine from the address, and no operator has lifted that. */
      isFlagged: z.boolean(),
      /** When a person's clear made a reduced rate whole again; null where none did. */
      wholeSince: timeMs.nullable(),
    })
    .optional(),
});
