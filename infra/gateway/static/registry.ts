import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Registry } from '@cord/deploy/store/registry.mjs';
import type Koa from 'koa';
import type { HotReload } from '../config.js';

/** What is published now, read at each call: a publish is one new file (infra/deploy/README.md). */
export type Releases = () => Promise<Registry>;

/** The shell that this gateway serves, and what of it modules work with. */
interface ShellVersions {
  shell?: string;
  sdk?: string;
  ui?: string;
}

/**
 * /remotes.json. Under hot reload the one module points to its own server.
 * @param shellDir the built shell, which says its versions; null while it is being worked on
 */
export function serveRegistry(
  releases: Releases,
  shellDir: string | null,
  remote?: HotReload['remote'],
): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/remotes.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const [{ version, modules }, versions] = await Promise.all([
      releases(),
      shellDir === null ? {} : versionsOf(shellDir),
    ]);
    // Whether it was ever published here, and for which sdk, says nothing of what is being worked on.
    const { name = '', url: _url, prefix: _prefix, ...worked } = remote ?? {};
    ctx.set('cache-control', 'no-store');
    ctx.body = {
      version,
      ...versions,
      modules: { ...modules, ...(remote && { [name]: { version: 'dev', ...worked } }) },
    };
  };
}

/** As infra/build wrote them beside the shell; nothing where the shell is not built. */
async function versionsOf(shellDir: string): Promise<ShellVersions> {
  const text = await readFile(join(shellDir, '.build.json'), 'utf8').catch(() => '{}');
  const { version: shell, sdk, ui } = JSON.parse(text) as { version?: string } & ShellVersions;
  return { ...(shell && { shell }), ...(sdk && { sdk }), ...(ui && { ui }) };
}
