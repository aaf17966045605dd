import { z } from 'zod';
import * as at from '../addresses/corrections.js';
import { endpoint } from '../endpoint.js';
import { CORRECTION_MICRO_MAX } from '../rules/bonuses.js';
import { microToNumber } from '../rules/money.js';
import { cordAmount, decimalsAtMost, id128, idParams, pageCursor, reason, time, wholeNumber } from './fields.js';

/** `open`: a second operator may confirm it. `confirmed`: decided, and in the ledger unless `booked` is false. */
const CORRECTION_STATES = ['open', 'confirmed', 'withdrawn'] as const;

/** A correction of one balance: one operator proposes it, another confirms it. */
const correction = z.object({
  id: id128,
  userId: id128,
  /** Amount added to the balance, CORD; negative to deduct. */
  amount: cordAmount,
  /** The reason shown in the user's ledger. */
  reason: z.string(),
  state: z.enum(CORRECTION_STATES),
  /** Id of the operator who proposed it. */
  proposedBy: id128,
  proposedAt: time,
  /** Id of the operator who confirmed or withdrew it. */
  decidedBy: id128.nullable(),
  decidedAt: time.nullable(),
  /** Whether the entry is in the ledger. */
  booked: z.boolean(),
});
export type Correction = z.infer<typeof correction>;

const MOST = microToNumber(CORRECTION_MICRO_MAX);
const amount = decimalsAtMost(6, z.number().min(-MOST).max(MOST)).refine((value) => value !== 0, {
  error: 'must not be 0',
  params: { de: 'darf nicht 0 sein' },
});

/** Maximum number of corrections in one page. */
const LISTED_MAX = 100;

export const correctionEndpoints = {
  list: endpoint('mining', at.list, {
    query: z.strictObject({
      state: z.enum(CORRECTION_STATES).default('open'),
      /** Time of the previous page's last correction, ms. */
      cursor: pageCursor(/^\d{1,15}$/),
      limit: wholeNumber(25, LISTED_MAX),
    }),
    response: z.object({ corrections: z.array(correction), nextCursor: z.string().nullable() }),
    summary: 'Admins: corrections of balances, the latest proposal first',
  }),
  propose: endpoint('mining', at.propose, {
    fresh: true,
    status: 201,
    params: idParams,
    body: z.strictObject({ amount, reason }),
    response: correction,
    summary: 'Admins: propose a correction of a balance; another admin confirms it',
  }),
  decide: endpoint('mining', at.decide, {
    fresh: true,
    params: idParams,
    body: z.strictObject({ decision: z.enum(['confirm', 'withdraw']), reason }),
    response: correction,
    summary: 'Admins: confirm a correction that another admin has proposed, or withdraw it',
  }),
} as const;
