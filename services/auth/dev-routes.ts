import type { Http } from '@cord/kit/http';
import { requireSameOrigin } from '@cord/kit/http/credentials';
import type { Context } from 'koa';
import type { Admin } from './admin.js';
import { userNotFound } from './http/require-user.js';

/**
 * POST /dev/users/:id/admin, on the service's operations port. Imported dynamically in local mode only; otherwise this
 * route does not exist.
 */
export function serveDevRoutes(http: Http, deps: { admin: Admin; publicOrigin: string }): void {
  const { admin, publicOrigin } = deps;
  http.operate('POST', '/dev/users/:id/admin', async (ctx) => {
    if (ctx.get('origin')) requireSameOrigin(ctx, publicOrigin);
    const { id = '' } = (ctx as Context & { params: { id?: string } }).params;
    if (!(await admin.setAdmin(id, true))) throw userNotFound();
    ctx.body = { id, isAdmin: true };
  });
}
