import type Koa from 'koa';
import sirv from 'sirv';
import { nothingHere } from './not-found.js';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Files whose name begins with a dot, and folders likewise, are nobody's business. */
const HIDDEN = /(^|\/)\./;
const MODULE_FILE = /^\/modules(\/[A-Za-z0-9_-]+\/[^/]+\/.+)$/;

/** What a built page may contain; each file is looked up on disk, so that a publish is seen at once. */
const options = { dev: true, etag: true, gzip: true, brotli: true, extensions: [] };

/** The shell's files: hashed names under /assets never change, the others are asked for again each time. */
export function shellFiles(shellDir: string): Koa.Middleware {
  return serve(shellDir, (path) => (path.startsWith('/assets/') ? IMMUTABLE : 'no-cache'), identity);
}

/** Published modules: a version's folder never changes; its manifest is asked for again each time. */
export function moduleFiles(moduleStore: string): Koa.Middleware {
  const cacheControl = (path: string) => (path.endsWith('/mf-manifest.json') ? 'no-cache' : IMMUTABLE);
  return serve(moduleStore, cacheControl, (path) => MODULE_FILE.exec(path)?.[1]);
}

/** In production the source stays at home: maps are built, but not served. */
export const noSourceMaps: Koa.Middleware = (ctx, next) =>
  /\.map(\.(br|gz))?$/i.test(decoded(ctx.path) ?? '') ? nothingHere(ctx, next) : next();

function serve(
  folder: string,
  cacheControl: (path: string) => string,
  within: (path: string) => string | undefined,
): Koa.Middleware {
  const setHeaders = (response: { setHeader(name: string, value: string): unknown }, path: string) =>
    response.setHeader('cache-control', cacheControl(path));
  const files = sirv(folder, { ...options, setHeaders });
  return async (ctx, next) => {
    const path = within(ctx.path);
    if (!path || isHidden(path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const request = Object.assign(Object.create(ctx.req) as typeof ctx.req, { url: path, _parsedUrl: undefined });
    const missing = await new Promise<boolean>((resolve) => {
      ctx.res.once('close', () => resolve(false));
      files(request, ctx.res, () => resolve(true));
    });
    if (missing) return next();
    ctx.respond = false;
  };
}

/** Judged as sirv will read it, decoded once; what cannot be decoded is not there. */
function isHidden(path: string): boolean {
  const name = decoded(path);
  return name === undefined || HIDDEN.test(name);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

function identity(path: string): string {
  return path;
}
