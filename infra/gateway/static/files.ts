import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { finished, type Readable } from 'node:stream';
import type Koa from 'koa';
import sirv from 'sirv';
import { BARE_POLICY, FILE_POLICY } from '../headers.js';
import { notFoundPage } from './not-found.js';
import type { Published } from './published.js';
import type { Shells } from './shells.js';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Files and folders whose name begins with a dot are not served. */
const HIDDEN = /(^|\/)\./;
/** Alternative spellings of a path, which sirv would decode or strip of a trailing slash. A file has one address, and rules check the raw path. */
const OTHER_ADDRESS = /%|\/\/|\/$/;
const MODULE_FILE = /^\/modules(\/(?!shell\/)[A-Za-z0-9_-]+\/[^/]+\/.+)$/;

/** Options of sirv; each file is looked up on disk, so that a publish is visible at once. */
const options = { dev: true, etag: true, gzip: true, brotli: true, extensions: [] };

/**
 * Serves the shells' files. Hashed names under /assets never change and are served from every kept shell; the others
 * come from the shell in use and are revalidated each time.
 */
export function shellFiles(shells: Pick<Shells, 'inUse' | 'all' | 'mayServe'>): Koa.Middleware {
  const servers = new Map<string, Koa.Middleware>();
  const serverOf = (folder: string) => {
    const server =
      servers.get(folder) ??
      serve(folder, (path) => (path.startsWith('/assets/') ? IMMUTABLE : 'no-cache'), {
        within: identity,
        mayServe: (path) => shells.mayServe(folder, path),
      });
    servers.set(folder, server);
    return server;
  };
  /** Serves a file from the first of these folders that has it. */
  function from(folders: string[], ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
    const [first, ...others] = folders;
    return first === undefined ? next() : serverOf(first)(ctx, () => from(others, ctx, next));
  }
  let known: string[] = [];
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/assets/')) return from([await shells.inUse()], ctx, next);
    // A hashed name identifies its content in any folder. When no known folder has it, a new one may.
    await from(known, ctx, async () => {
      known = await shells.all();
      return from(known, ctx, next);
    });
  };
}

/** Serves published modules. A version's folder never changes, and a changed file is not served; its manifest is revalidated each time. */
export function moduleFiles(moduleStore: string, published: Pick<Published, 'mayServe'>): Koa.Middleware {
  const cacheControl = (path: string) => (path.endsWith('/mf-manifest.json') ? 'no-cache' : IMMUTABLE);
  return serve(moduleStore, cacheControl, {
    within: (path) => MODULE_FILE.exec(path)?.[1],
    mayServe: (path) => {
      const [, name = '', version = '', ...file] = path.split('/');
      return published.mayServe(name, version, file.join('/'));
    },
  });
}

/** Refuses source maps in production: they are built but not served. */
export const noSourceMaps: Koa.Middleware = (ctx, next) =>
  /\.map(\.(br|gz))?$/i.test(ctx.path) ? notFoundPage(ctx, next) : next();

/** Adds the SourceMap header in local mode, because the scripts do not name their maps. */
export const sourceMapHeader: Koa.Middleware = (ctx, next) => {
  if (/^\/(assets|modules)\/.+\.js$/.test(ctx.path)) ctx.set('SourceMap', `${ctx.path}.map`);
  return next();
};

/** Selects the files of a folder to serve. */
interface Within {
  /** Maps an address to a path in the folder; undefined for none. */
  within: (path: string) => string | undefined;
  /** @param path in the folder, with a leading slash */
  mayServe: (path: string) => Promise<boolean>;
}

function serve(folder: string, cacheControl: (path: string) => string, { within, mayServe }: Within): Koa.Middleware {
  const setHeaders = (response: ServerResponse, path: string) => {
    response.setHeader('cache-control', cacheControl(path));
    if (response.getHeader('content-security-policy') === BARE_POLICY)
      response.setHeader('content-security-policy', FILE_POLICY);
  };
  const files = sirv(folder, { ...options, setHeaders });
  return async (ctx, next) => {
    const path = within(ctx.path);
    if (!path || OTHER_ADDRESS.test(path) || HIDDEN.test(path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD'))
      return next();
    if (!(await mayServe(path))) return next();
    // sirv responds with an error to an invalid range; pages request whole files only.
    const { range: _range, ...headers } = ctx.req.headers;
    const own = { url: path, headers, _parsedUrl: undefined };
    const request = Object.assign(Object.create(ctx.req) as typeof ctx.req, own);
    // Waits behind other requests on the socket: the file is opened once the response may be written.
    if (ctx.res.socket === null) await once(ctx.res, 'socket');
    const missing = await new Promise<boolean>((resolve) => {
      if (ctx.res.destroyed) return resolve(false);
      ctx.res.once('close', () => resolve(false));
      ctx.res.once('pipe', (file: Readable) => closeWith(ctx.res, file));
      files(request, ctx.res, () => resolve(true));
    });
    if (missing) return next();
    ctx.respond = false;
  };
}

/** Closes the file when its client disconnects, and the response when the file cannot be read; sirv does neither. */
function closeWith(res: ServerResponse, file: Readable): void {
  finished(res, () => file.destroy());
  file.once('error', () => res.destroy());
}

function identity(path: string): string {
  return path;
}
