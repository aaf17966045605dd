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

/** A miner's public data for a card; null for a user who is not in the rankings. */
export const rankCardRpc = rpc(
  'rank.card',
  { from: ['notices'], by: 'leaderboard', toEach: true },
  z.object({ userId: id128, period: z.enum(PERIODS) }),
  z
    .object({
      username: z.string(),
      /** Rank in the period; null while unranked. */
      rank: z.number().int().nullable(),
      /** Number of miners ranked in the period. */
      miners: z.number().int(),
      /** Earnings in the period, micro-CORD. */
      earnedMicro: integerText,
      /** Years as displayed, one decimal. */
      accountAge: z.number(),
      tierHundredths: z.number().int(),
      badge: z.boolean(),
    })
    .nullable(),
);
