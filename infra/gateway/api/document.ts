import type Koa from 'koa';
import { stylePolicy } from '../headers.js';
import { documentPage, PAGE_STYLE } from './document-page.js';
import type { RouteTable } from './route-table.js';

const PAGE_POLICY = stylePolicy(PAGE_STYLE);

/** Serves /api/openapi.json, built from the calls that the services declare, and /api/docs, the same as a page. */
export function apiDocument(routes: Pick<RouteTable, 'document'>): Koa.Middleware {
  const made = new WeakMap<object, { json: string; page: string }>();
  const written = () => {
    const { document } = routes;
    const known = made.get(document);
    if (known) return known;
    const page = documentPage(document as unknown as Parameters<typeof documentPage>[0]);
    const both = { json: JSON.stringify(document), page };
    made.set(document, both);
    return both;
  };
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/api/openapi.json') {
      ctx.set('cache-control', 'no-cache');
      ctx.type = 'application/json';
      ctx.body = written().json;
    } else if (ctx.path === '/api/docs') {
      ctx.set({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY });
      ctx.type = 'text/html';
      ctx.body = written().page;
    } else {
      await next();
    }
  };
}
