import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry, Registry } from '@cord/deploy/store/registry.mjs';
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

/** What a page is told of the shell and the modules: at /remotes.json, and in itself. */
export type Published = () => Promise<ShellVersions & Pick<Registry, 'version' | 'modules'>>;

/**
 * Puts it together. Under hot reload the one module points to its own server.
 * @param shellDir the built shell, which says its versions; null while it is being worked on
 */
export function publishedIn(releases: Releases, shellDir: string | null, remote?: HotReload['remote']): Published {
  const versions = versionsReader(shellDir);
  return async () => {
    const [{ version, modules }, ofShell] = await Promise.all([releases(), versions()]);
    return { version, ...ofShell, modules: { ...modules, ...(remote && workedOn(remote)) } };
  };
}

/** Whether it was ever published here, and for which sdk, says nothing of what is being worked on. */
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

/** As infra/build wrote them beside the shell, read when they have changed; nothing where the shell is not built. */
function versionsReader(shellDir: string | null): () => Promise<ShellVersions> {
  let kept: { mtimeMs: number; versions: ShellVersions } | undefined;
  return async () => {
    if (shellDir === null) return {};
    const file = join(shellDir, '.build.json');
    const mtimeMs = await stat(file).then(
      (found) => found.mtimeMs,
      () => null,
    );
    if (mtimeMs === null) return {};
    if (kept?.mtimeMs !== mtimeMs) kept = { mtimeMs, versions: versionsIn(await readFile(file, 'utf8')) };
    return kept.versions;
  };
}

function versionsIn(text: string): ShellVersions {
  const { version: shell, sdk, ui } = JSON.parse(text) as { version?: string } & ShellVersions;
  return { ...(shell && { shell }), ...(sdk && { sdk }), ...(ui && { ui }) };
}
