import { z } from 'zod';
import * as at from '../addresses/operations.js';
import { endpoint } from '../endpoint.js';
import { PROMISING_SERVICES } from '../rpc/parked.js';
import { cordAmount, id128, pageCursor, time, wholeNumber } from './fields.js';

const service = z.enum(PROMISING_SERVICES);

/** A promised credit that the ledger has permanently refused, with the reason. */
const parkedCredit = z.object({
  service,
  /** Idempotency key of the credit. */
  key: z.string(),
  userId: id128,
  source: z.string(),
  amount: cordAmount,
  reason: z.string(),
  refusal: z.string(),
  message: z.string(),
  parkedAt: time,
});

/** Operators' view of promised money that cannot be credited automatically. */
export const operationEndpoints = {
  parkedCredits: endpoint('auth', at.parkedCredits, {
    query: z.strictObject({
      limit: wholeNumber(50),
      /** Position and key of the previous page's last credit. */
      cursor: pageCursor(/^\d{1,15}-.{3,200}$/),
    }),
    response: z.object({
      credits: z.array(parkedCredit),
      nextCursor: z.string().nullable(),
      /** Services that did not respond; their parked credits are missing from the list. */
      missing: z.array(z.string()),
    }),
    summary: 'Admins: promised credits that the ledger has refused, longest parked first',
  }),
  retryParkedCredit: endpoint('auth', at.retryParkedCredit, {
    fresh: true,
    body: z.strictObject({ service, key: z.string().min(3).max(200) }),
    response: z.object({ outcome: z.enum(['credited', 'pending', 'parked']) }),
    summary: 'Admins: try a parked credit again, with the same key and amount',
  }),
} as const;
