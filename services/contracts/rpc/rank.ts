import { z } from 'zod';
import { integerText } from '../events/envelope.js';
import { id128 } from '../http/fields.js';
import { PERIODS } from '../rules/days.js';
import { rpc } from './rpc.js';

/** All-time rank of a user; null while unranked. */
export const rankRpc = rpc(
  'rank.get',
  { from: ['auth'], by: 'leaderboard' },
  z.object({ userId: id128 }),
  z.object({ rank: z.number().int().nullable() }),
);

/** What is public of a miner and a card shows; null for a user who is not, or no longer, in the rankings. */
export const rankCardRpc = rpc(
  'rank.card',
  { from: ['notices'], by: 'leaderboard', toEach: true },
  z.object({ userId: id128, period: z.enum(PERIODS) }),
  z
    .object({
      username: z.string(),
      /** In the period; null while unranked. */
      rank: z.number().int().nullable(),
      /** How many are ranked in the period. */
      miners: z.number().int(),
      /** In the period, micro-CORD. */
      earnedMicro: integerText,
      /** Years as they are shown, one decimal. */
      accountAge: z.number(),
      tierHundredths: z.number().int(),
      badge: z.boolean(),
    })
    .nullable(),
);
