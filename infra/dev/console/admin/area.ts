import { opsUrlOf } from '@cord/kit/ops-port';
import Router from '@koa/router';
import type { MakeArea } from '../area.js';
import { serviceInstances } from '../running.js';

const TIMEOUT_MS = 10_000;

/** POST /dev/users/{id}/admin: calls auth's operations port to make that user an admin. */
export const adminArea: MakeArea = ({ config }) => {
  const router = new Router();
  router.post('/dev/users/:id/admin', async (ctx) => {
    const auth = (await serviceInstances(config.CORD_DATA)).find(({ name }) => name === 'auth');
    if (!auth) {
      ctx.status = 503;
      ctx.set('retry-after', '1');
      ctx.body = { success: false, error: 'auth is not running' };
      return;
    }
    const path = `/dev/users/${encodeURIComponent(ctx.params.id ?? '')}/admin`;
    const answer = await fetch(`${opsUrlOf(auth.url)}${path}`, {
      method: 'POST',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    ctx.status = answer.status;
    const type = answer.headers.get('content-type');
    if (type) ctx.set('content-type', type);
    ctx.body = text === '' ? null : text;
    if (answer.status !== 204 && text === '') ctx.status = answer.status;
  });
  return { title: 'Admins', help: ['POST /dev/users/{id}/admin makes that user an admin.'], routes: router.routes() };
};
