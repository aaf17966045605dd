import { createHash } from 'node:crypto';
import type { Endpoint } from '@cord/contracts/endpoint';
import { openApiDocument } from '@cord/contracts/openapi';
import type Koa from 'koa';
import { documentPage, PAGE_STYLE } from './document-page.js';

/** The page's own style and nothing else. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** /api/openapi.json, made from the contracts, and /api/docs, the same to read. */
export function apiDocument(endpoints: readonly Endpoint[]): Koa.Middleware {
  const document = openApiDocument(endpoints);
  const json = JSON.stringify(document);
  const page = documentPage(document as unknown as Parameters<typeof documentPage>[0]);
  return async (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/api/openapi.json') {
      ctx.set('cache-control', 'no-cache');
      ctx.type = 'application/json';
      ctx.body = json;
    } else if (ctx.path === '/api/docs') {
      ctx.set({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY });
      ctx.type = 'text/html';
      ctx.body = page;
    } else {
      await next();
    }
  };
}
