import { operationEndpoints } from '@cord/contracts/http/operations';
import { overviewEndpoints } from '@cord/contracts/http/overview';
import { releaseEndpoints } from '@cord/contracts/http/releases';
import { microToNumber } from '@cord/contracts/rules/money';
import type { Http } from '@cord/kit/http';
import type { ParkedPlace } from '@cord/kit/outbox/documents';
import { cursor, pageOf } from '@cord/kit/page';
import { badInput, notFound } from '@cord/kit/problem';
import type { Overview } from '../operators/overview.js';
import type { ReleaseDesk } from '../operators/releases.js';
import type { ParkedCredits } from '../parked-credits.js';

const PLACE = cursor<ParkedPlace>({ since: Number, key: String });

/** Mounts the operators' overview, parked credits and releases (services/README.md#sign-in-and-rights). */
export function serveOperations(
  http: Http,
  { overview, parked, releases }: { overview: Overview; parked: ParkedCredits; releases: ReleaseDesk },
): void {
  http.route(overviewEndpoints.overview, () => overview.look());

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

  http.route(releaseEndpoints.releases, () => releases.look());

  // It changes code in every browser, so the route requires a recent sign-in.
  http.route(releaseEndpoints.actOnRelease, async ({ user, params: { name }, body }) => {
    const { act, version, share } = body;
    if (act === 'canary' && version === undefined) throw badInput('version', 'must name the version to test');
    if (act === 'canary' && share === undefined) throw badInput('share', 'must be the share of browsers that get it');
    return releases.act(user.id, { ...body, name });
  });
}
