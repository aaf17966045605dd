import type { Entry, Registry } from '@cord/deploy/store/registry';
import type Koa from 'koa';
import type { HotReload } from '../config.js';
import type { Shells, ShellVersions } from './shells.js';

/** What is published now, read at each call: a publish is one new file (infra/deploy/README.md). */
export type Releases = () => Promise<Registry>;

/** The shell and the modules for a page: at /remotes.json, and in the page itself. */
export type Published = () => Promise<ShellVersions & Pick<Registry, 'version' | 'modules'>>;

/**
 * Puts it together. Under hot reload the one module points to its own server.
 * @param shells null while the shell is being worked on
 */
export function publishedIn(
  releases: Releases,
  shells: Pick<Shells, 'versions'> | null,
  remote?: HotReload['remote'],
): Published {
  return async () => {
    const [{ version, modules }, ofShell] = await Promise.all([releases(), shells?.versions()]);
    return { version, ...ofShell, modules: { ...modules, ...(remote && workedOn(remote)) } };
  };
}

/** Whether it was ever published here, and for which sdk, does not concern what is being worked on. */
function workedOn({ name, entry, sdk, tab, parts }: NonNullable<HotReload['remote']>): Record<string, Entry> {
  return { [name]: { version: 'dev', entry, sdk, parts, ...(tab && { tab }) } };
}

/** /remotes.json */
export function serveRegistry(published: Published): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/remotes.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('cache-control', 'no-store');
    ctx.body = await published();
  };
}
