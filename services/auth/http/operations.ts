import { operationEndpoints } from '@cord/contracts/http/operations';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import { notFound } from '@cord/kit/problem';
import type { ParkedCredits } from '../parked-credits.js';

/** What operators look after (design.md, Sign-in and rights: every act stands in the audit log). */
export function serveOperations(http: Http, parked: ParkedCredits): void {
  http.route(operationEndpoints.parkedCredits, async ({ query, koa }) => {
    const { credits, missing } = await parked.oldest(query.limit);
    // The list is an array by its shape; what it lacks is said beside it.
    if (missing.length > 0) koa.set('Warning', `199 - "without ${missing.join(', ')}"`);
    return credits.map(({ amountMicro, parkedAt, ...credit }) => ({
      ...credit,
      amount: microToNumber(BigInt(amountMicro)),
      parkedAt: new Date(parkedAt).toISOString(),
    }));
  });

  http.route(operationEndpoints.retryParkedCredit, async ({ user, body }) => {
    const outcome = await parked.retry(user.id, body.service, body.key);
    if (!outcome) throw notFound('no-such-parked-credit', 'No credit is parked under this key');
    return { outcome };
  });
}
