import { clientErrorEndpoints } from '@cord/contracts/http/client-errors';
import { addressKey } from '@cord/kit/address';
import type { Http } from '@cord/kit/http';
import type { ClientErrors } from '../client-errors.js';
import type { ClientErrorDoc } from '../store/client-errors.js';

/** Mounts the errors of the front end: anybody reports, admins read. The reporter is not stored. */
export function serveClientErrors(http: Http, clientErrors: ClientErrors): void {
  http.publicRoute(clientErrorEndpoints.report, async ({ body, user, ip, now }) => {
    await clientErrors.take(body, user ? { userId: user.id } : { address: addressKey(ip) }, now);
    return undefined;
  });

  http.route(clientErrorEndpoints.list, async ({ query, now }) => {
    const { errors, nextCursor } = await clientErrors.list(now, query.limit, query.cursor);
    return { errors: errors.map(view), nextCursor };
  });
}

function view({ _id, message, stack, module, part, shell, sdk, moduleVersion, ...rest }: ClientErrorDoc) {
  return {
    id: _id,
    message,
    stack: stack ?? null,
    module: module ?? null,
    part: part ?? null,
    versions: { shell, sdk, module: moduleVersion ?? null },
    count: rest.count,
    firstAt: new Date(rest.firstAtMs).toISOString(),
    lastAt: new Date(rest.lastAtMs).toISOString(),
  };
}
