import type { Http } from '@cord/kit/http';
import { requireSameOrigin } from '@cord/kit/http/credentials';
import { problemDetails } from '@cord/kit/http/errors';
import type { Log } from '@cord/kit/log';
import type { Context } from 'koa';
import type { Admin } from './admin.js';
import { userNotFound } from './http/require-user.js';

/**
 * POST /dev/users/:id/admin, on the service's own port (interface.md, Local mode only). Loaded by a dynamic import in
 * local mode: outside it this route does not exist.
 */
export function serveDevRoutes(http: Http, deps: { admin: Admin; publicOrigin: string; log: Log }): void {
  const { admin, publicOrigin, log } = deps;
  http.own('POST', '/dev/users/:id/admin', problemDetails(log), async (ctx) => {
    if (ctx.get('origin')) requireSameOrigin(ctx, publicOrigin);
    const { id = '' } = (ctx as Context & { params: { id?: string } }).params;
    if (!(await admin.setAdmin(id, true))) throw userNotFound();
    ctx.body = { id, isAdmin: true };
  });
}
