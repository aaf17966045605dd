import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Koa from 'koa';
import type { HotReload } from '../config.js';

interface Registry {
  modules: Record<string, { version: string; entry: string; sdk: string }>;
}

/**
 * /remotes.json, read at each request: publishing a module swaps the file (infra/build/README.md). Under hot reload the
 * one module points to its own server.
 */
export function serveRegistry(moduleStore: string, remote?: HotReload['remote']): Koa.Middleware {
  const file = join(moduleStore, 'remotes.json');
  return async (ctx, next) => {
    if (ctx.path !== '/remotes.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const registry = JSON.parse(await readFile(file, 'utf8')) as Registry;
    // Whether it was ever published here, and for which sdk, says nothing of what is being worked on.
    if (remote) registry.modules[remote.name] = { sdk: remote.sdk, version: 'dev', entry: remote.entry };
    ctx.set('cache-control', 'no-store');
    ctx.body = registry;
  };
}
