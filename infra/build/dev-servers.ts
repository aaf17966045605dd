import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOfModule, moduleFolders, webPackages } from './built.ts';
import { rspackArgs } from './compile.ts';
import { moduleName } from './module-name.ts';
import { type ServedEntry, servedEntry, servedPath } from './served-module.ts';
import { buildWeb } from './web-build.ts';
import { ROOT } from './workspaces.ts';

const POLL_MS = 100;

/** The servers of `npm run dev`. */
export interface DevServers {
  shell: string;
  /** The module's registry entry. Requests below `prefix` are passed to `url` with their whole path. */
  remote: (ServedEntry & { name: string; url: string; prefix: string }) | null;
  close(): void;
}

/**
 * Starts hot reload for the shell and one module; the other modules are built as usual. Each gets an `rspack serve` on
 * a given loopback port. The gateway routes requests to it by path, so that the page keeps one origin.
 *
 * @param options `module`: 'mining' or 'mfe-mining'; without it only the shell reloads
 * @throws {Error} naming a module that does not exist, or a server that ended
 */
export async function startDevServers({
  module,
  ports,
}: {
  module?: string;
  ports: [shell: number, module: number];
}): Promise<DevServers> {
  const dir = module ? folderOf(module) : null;
  const [shellPort, modulePort] = ports;
  const built = webPackages().map((workspace) => workspace.dir);
  await buildWeb({ only: built.filter((other) => other !== dir && other !== 'shell') });
  const shell = serve('shell', shellPort);
  const served = dir === null ? null : { dir, ...serve(dir, modulePort) };
  const close = () => {
    for (const server of [shell, served]) server?.child.kill('SIGKILL');
  };
  try {
    await Promise.all([shell.ready, served?.ready]);
  } catch (error) {
    close();
    throw error;
  }
  return { shell: shell.url, remote: served && remoteOf(served), close };
}

/**
 * Runs `rspack serve` of one module for a shell elsewhere (registry-override.ts); it ends with this process.
 * @param given `module`: a name, or the folder of a module elsewhere
 * @throws {Error} naming a module that does not exist
 */
export function serveInShell({ module, shell, port }: { module: string; shell: string; port: number }): ChildProcess {
  const folder = /[\\/]/.test(module) ? path.resolve(module) : path.join(ROOT, folderOf(module));
  return rspackServe(folder, port, ['--env', `shell=${shell}`]);
}

function remoteOf({ dir, url }: { dir: string; url: string }): NonNullable<DevServers['remote']> {
  const name = moduleName(dir) ?? dir;
  return { ...servedEntry(name, path.join(ROOT, dir)), name, url, prefix: servedPath(name) };
}

function folderOf(module: string): string {
  const dir = folderOfModule(module);
  if (dir === null) throw new Error(`no module ${module}; the modules are ${moduleFolders().join(', ')}`);
  return dir;
}

/** Starts the server of a package in this checkout; it responds after the first build. */
function serve(dir: string, port: number): { child: ChildProcess; url: string; ready: Promise<void> } {
  const child = rspackServe(path.join(ROOT, dir), port);
  const url = `http://127.0.0.1:${port}`;
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the hot-reload server of ${dir} exited with code ${code}`);
  });
  ended.catch(() => undefined);
  return { child, url, ready: Promise.race([answers(url), ended]) };
}

function rspackServe(folder: string, port: number, args: string[] = []): ChildProcess {
  return spawn(process.execPath, rspackArgs('serve', '--port', String(port), ...args), {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

async function answers(url: string): Promise<void> {
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(POLL_MS);
}
