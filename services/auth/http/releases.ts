import { releaseEndpoints } from '@cord/contracts/http/releases';
import type { Http } from '@cord/kit/http';
import { badInput } from '@cord/kit/problem';
import type { ReleaseDesk } from '../operators/releases.js';

/** What is published, and what operators do about it: code in everybody's browser, so only soon after a sign-in. */
export function serveReleases(http: Http, desk: ReleaseDesk): void {
  http.route(releaseEndpoints.releases, () => desk.look());

  http.route(releaseEndpoints.actOnRelease, async ({ user, params: { name }, body }) => {
    const { act, version, share } = body;
    if (act === 'canary' && version === undefined) throw badInput('version', 'must name the version to test');
    if (act === 'canary' && share === undefined) throw badInput('share', 'must be the share of browsers that get it');
    return desk.act(user.id, { ...body, name });
  });
}
