import { z } from 'zod';
import { source } from '../events/balance.js';
import { integerText, timeMs } from '../events/envelope.js';
import { id128 } from '../http/fields.js';
import { rpc } from './rpc.js';

/** Services that store promised credits in their own documents before they call the ledger (services/mining/ledger/README.md#credit). */
export const PROMISING_SERVICES = ['tasks', 'referrals', 'rewards'] as const;
export type PromisingService = (typeof PROMISING_SERVICES)[number];

/** A promised credit that the ledger has permanently refused. */
const parkedCredit = z.object({
  key: z.string(),
  userId: id128,
  source,
  amountMicro: integerText,
  reason: z.string(),
  /** Problem type and text of the refusal. */
  refusal: z.string(),
  message: z.string(),
  parkedAt: timeMs,
  /** Since when its document has parked credits; the list is sorted by it. */
  since: timeMs,
});

/** Parked credits of a service, longest parked first, from a cursor on. */
export function parkedRpc(service: PromisingService) {
  return rpc(
    `parked.${service}`,
    { from: ['auth'], by: service, toEach: true },
    z.object({
      limit: z.number().int().min(1),
      after: z.object({ since: timeMs, key: z.string() }).nullable().default(null),
    }),
    z.object({ credits: z.array(parkedCredit) }),
  );
}

/** Retries one parked credit with the same key and amount; null when none is parked under the key. */
export function retryParkedRpc(service: PromisingService) {
  return rpc(
    `parked.retry.${service}`,
    { from: ['auth'], by: service },
    z.object({ key: z.string() }),
    z.object({ outcome: z.enum(['credited', 'pending', 'parked']).nullable() }),
  );
}
