import { operationEndpoints } from '@cord/contracts/http/operations';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import type { ParkedPlace } from '@cord/kit/outbox/documents';
import { cursor, pageOf } from '@cord/kit/page';
import { notFound } from '@cord/kit/problem';
import type { ParkedCredits } from '../parked-credits.js';

const PLACE = cursor<ParkedPlace>({ since: Number, key: String });

/** What operators look after (services/README.md#sign-in-and-rights). */
export function serveOperations(http: Http, parked: ParkedCredits): void {
  http.route(operationEndpoints.parkedCredits, async ({ query: { cursor: after, limit } }) => {
    const { credits, missing } = await parked.oldest({ after: PLACE.read(after), limit: limit + 1 });
    const { shown, nextCursor } = pageOf(credits, limit, PLACE.of);
    return {
      credits: shown.map(({ amountMicro, parkedAt, since: _since, ...credit }) => ({
        ...credit,
        amount: microToNumber(BigInt(amountMicro)),
        parkedAt: new Date(parkedAt).toISOString(),
      })),
      nextCursor,
      missing,
    };
  });

  http.route(operationEndpoints.retryParkedCredit, async ({ user, body }) => {
    const outcome = await parked.retry(user.id, body.service, body.key);
    if (!outcome) throw notFound('no-such-parked-credit', 'No credit is parked under this key');
    return { outcome };
  });
}
