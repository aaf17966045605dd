import { id128 } from '../http/fields.js';
import { eventKindOfTwo, openEnum, timeMs } from './envelope.js';

/**
 * A person has answered a request: one message a request, `cord.support.v1.answered.<user>.<request>`. `seq` rises with each
 * answer of it. No word of either side.
 */
export const supportAnswered = eventKindOfTwo('support', 'answered', {
  requestId: id128,
  kind: openEnum(['support', 'appeal', 'refund']),
  answeredAt: timeMs,
});
