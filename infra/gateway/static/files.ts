import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { finished, type Readable } from 'node:stream';
import type Koa from 'koa';
import sirv from 'sirv';
import { BARE_POLICY, FILE_POLICY } from '../headers.js';
import { nothingHere } from './not-found.js';
import type { Published } from './published.js';
import type { Shells } from './shells.js';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Files whose name begins with a dot, and folders likewise, are nobody's business. */
const HIDDEN = /(^|\/)\./;
/** A file has one address: rules look at the path as it is, and sirv would decode it and drop a slash at its end. */
const OTHER_ADDRESS = /%|\/\/|\/$/;
const MODULE_FILE = /^\/modules(\/(?!shell\/)[A-Za-z0-9_-]+\/[^/]+\/.+)$/;

/** What a built page may contain; each file is looked up on disk, so that a publish is seen at once. */
const options = { dev: true, etag: true, gzip: true, brotli: true, extensions: [] };

/**
 * The shells' files: hashed names under /assets never change and are served of every shell that is kept, the others are those of the one in use and
 * are requested again each time.
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
  /** Of the first of these folders that has it. */
  function from(folders: string[], ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
    const [first, ...others] = folders;
    return first === undefined ? next() : serverOf(first)(ctx, () => from(others, ctx, next));
  }
  let known: string[] = [];
  return async (ctx, next) => {
    if (!ctx.path.startsWith('/assets/')) return from([await shells.inUse()], ctx, next);
    // A name stands for its content: whichever folder has it. Where none has that was known, another may have come.
    await from(known, ctx, async () => {
      known = await shells.all();
      return from(known, ctx, next);
    });
  };
}

/** Published modules: a version's folder never changes, and a file that did is not served; its manifest is requested again each time. */
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

/** In production the source stays at home: maps are built, but not served. */
export const noSourceMaps: Koa.Middleware = (ctx, next) =>
  /\.map(\.(br|gz))?$/i.test(ctx.path) ? nothingHere(ctx, next) : next();

/** In local mode the browser's developer tools find the map of a script by its header: the scripts themselves do not name theirs. */
export const sourceMapHeader: Koa.Middleware = (ctx, next) => {
  if (/^\/(assets|modules)\/.+\.js$/.test(ctx.path)) ctx.set('SourceMap', `${ctx.path}.map`);
  return next();
};

/** Which files of a folder are served. */
interface Within {
  /** Where in the folder an address leads; undefined where to none. */
  within: (path: string) => string | undefined;
  /** @param path in the folder, with its slash */
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
    // sirv answers a range that it cannot read with an error; whole files are what pages request.
    const { range: _range, ...headers } = ctx.req.headers;
    const own = { url: path, headers, _parsedUrl: undefined };
    const request = Object.assign(Object.create(ctx.req) as typeof ctx.req, own);
    // Behind another request on its socket: the file is opened once its answer may be written.
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

/** sirv leaves a file open when its client goes, and has no answer to one that cannot be read. */
function closeWith(res: ServerResponse, file: Readable): void {
  finished(res, () => file.destroy());
  file.once('error', () => res.destroy());
}

function identity(path: string): string {
  return path;
}
