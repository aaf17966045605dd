import type { Entry, Registry } from '@cord/deploy/store/registry';
import type Koa from 'koa';
import type { HotReload } from '../config.js';
import type { Shells, ShellVersions } from './shells.js';

/** Returns what is published now; read at each call, because a publish is one new file (infra/deploy/README.md). */
export type Releases = () => Promise<Registry>;

/** Returns the shell and the modules for a page: at /remotes.json, and in the page itself. */
export type Published = () => Promise<ShellVersions & Pick<Registry, 'version' | 'modules'>>;

/**
 * Combines shell and modules. Under hot reload, one module points to its own server.
 * @param shells null while the shell is under hot reload
 */
export function publishedIn(
  releases: Releases,
  shells: Pick<Shells, 'versions'> | null,
  remote?: HotReload['remote'],
): Published {
  return async () => {
    const [{ version, modules }, ofShell] = await Promise.all([releases(), shells?.versions()]);
    return { version, ...ofShell, modules: { ...modules, ...(remote && hotReloadEntry(remote)) } };
  };
}

/** The module under hot reload replaces its published entry, if any, whatever sdk that was for. */
function hotReloadEntry({ name, entry, sdk, tab, parts }: NonNullable<HotReload['remote']>): Record<string, Entry> {
  return { [name]: { version: 'dev', entry, sdk, parts, ...(tab && { tab }) } };
}

/** Serves /remotes.json. */
export function serveRegistry(published: Published): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/remotes.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('cache-control', 'no-store');
    ctx.body = await published();
  };
}
