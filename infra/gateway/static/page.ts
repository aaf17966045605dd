import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionCookieName } from '@cord/kit/http/credentials';
import type Koa from 'koa';
import { pagePolicy } from '../headers.js';
import { withPreview } from './preview.js';
import type { Published } from './registry.js';
import type { Shells } from './shells.js';

const NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** Placeholder of the origin: previews of a shared link need absolute URLs. */
const ORIGIN_PLACEHOLDER = '__PUBLIC_ORIGIN__';
const NONCE_BYTES = 16;

/** Preloads for each kind of visitor, in a comment written by infra/build. */
const AHEAD = /<!-- for:([\w-]+) ([\s\S]*?) -->/g;

/** Placeholder of the registry in the page. */
const REGISTRY_PLACEHOLDER = '<!-- registry -->';
/** Element id under which the shell finds it (shell/federation/the-registry.ts). */
const REGISTRY_ID = 'cord-registry';

/** Cookie of the chosen theme, set by the shell (shell/theme), so that the page is painted in it before any code runs. */
const THEME_COOKIE = 'cord-theme';
const THEME_COLOURS = /(<meta name="theme-color"[^>]*data-scheme="(dark|light)" media=")[^"]*"/g;

/** Returns the page in the chosen theme; without a valid one the device decides. */
function inTheme(html: string, theme: string | undefined): string {
  if (theme !== 'dark' && theme !== 'light') return html;
  return html
    .replace('<html ', `<html data-theme="${theme}" `)
    .replace(
      THEME_COLOURS,
      (_, meta: string, scheme: string) => `${meta}${scheme === theme ? '(min-width: 0)' : '(max-width: 0)'}"`,
    );
}

/** Returns the registry as a tag, which saves the page a request; '' when it cannot be read: then the page requests it and shows the error. */
async function registryTag(published: Published, nonce: string): Promise<string> {
  const registry = await published().catch(() => null);
  if (registry === null) return '';
  // Escaped, so that the data cannot close the element.
  const data = JSON.stringify(registry).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="${REGISTRY_ID}" nonce="${nonce}">${data}</script>`;
}

/** Returns index.html, from the built file or the hot-reload server. */
export type PageSource = () => Promise<string>;

/**
 * Returns the index.html of the shell in use, read again when the shell or the file changes.
 * @throws Error when it differs from what was published
 */
export function builtPage(shells: Pick<Shells, 'inUse' | 'mayServe'>): PageSource {
  let kept: { file: string; mtimeMs: number; html: string } | undefined;
  return async () => {
    const folder = await shells.inUse();
    const file = join(folder, 'index.html');
    if (!(await shells.mayServe(folder, '/index.html')))
      throw new Error('the published page of the shell was changed in the store');
    const { mtimeMs } = await stat(file);
    if (kept?.file !== file || kept.mtimeMs !== mtimeMs) kept = { file, mtimeMs, html: await readFile(file, 'utf8') };
    return kept.html;
  };
}

/**
 * Serves the app's only page, with a fresh nonce, absolute URLs in its preview, and the preloads and registry for
 * this visitor. A session cookie, valid or not, counts as signed in.
 * @param socketsFor returns the allowed WebSocket origins of a user agent
 */
export function servePage(
  source: PageSource,
  published: Published,
  publicOrigin: URL,
  socketsFor: (userAgent: string) => readonly string[],
): Koa.Middleware {
  const sessionCookie = sessionCookieName(publicOrigin.origin);
  return async (ctx, next) => {
    const isPage = ctx.path === '/' || ctx.path === '/index.html';
    if (!isPage || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const visitor = ctx.cookies.get(sessionCookie) === undefined ? 'landing' : 'signed-in';
    const page = withPreview(await source(), new URLSearchParams(ctx.querystring), publicOrigin.origin);
    const html = inTheme(page, ctx.cookies.get(THEME_COOKIE)).replace(AHEAD, (_, who: string, links: string) =>
      who === visitor ? links : '',
    );
    const registry = visitor === 'signed-in' ? await registryTag(published, nonce) : '';
    ctx.set('content-security-policy', pagePolicy(nonce, socketsFor(ctx.get('user-agent'))));
    ctx.set('cache-control', 'no-cache');
    ctx.vary('Cookie');
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = html
      .replaceAll(NONCE_PLACEHOLDER, nonce)
      .replaceAll(ORIGIN_PLACEHOLDER, publicOrigin.origin)
      .replace(REGISTRY_PLACEHOLDER, () => registry);
  };
}
