import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { folderOfModule, moduleFolders, webPackages } from './built.mjs';
import { RSPACK } from './compile.mjs';
import { moduleName } from './module-name.mjs';
import { servedEntry, servedPath } from './served-module.mjs';
import { buildWeb } from './web-build.mjs';
import { ROOT } from './workspaces.mjs';

const LOOK_EVERY_MS = 100;

/**
 * Hot reload for the shell and one module; the other modules are built as usual. `rspack serve` runs for each on a given
 * loopback port, and the gateway passes requests to it by path, so that the page keeps its one origin.
 *
 * @param {{ module?: string, ports: [number, number] }} options 'mining' or 'mfe-mining'; without it the shell alone reloads
 * @returns {Promise<{ shell: string, remote: null | { name: string, url: string, prefix: string, entry: string, sdk: string, tab?: object, parts: object[] }, close(): void }>}
 *   `prefix`: requests under it go to `url` with their whole path; the rest: the module's entry in the registry
 * @throws {Error} naming a module that does not exist, or a server that ended
 */
export async function startDevServers({ module, ports }) {
  const dir = module ? folderOf(module) : null;
  const built = webPackages().map((workspace) => workspace.dir);
  await buildWeb({ only: built.filter((other) => other !== dir && other !== 'shell') });
  const servers = [serve('shell', ports[0]), ...(dir ? [serve(dir, ports[1])] : [])];
  const close = () => {
    for (const { child } of servers) child.kill('SIGKILL');
  };
  try {
    await Promise.all(servers.map(({ ready }) => ready));
  } catch (error) {
    close();
    throw error;
  }
  const [shell, served] = servers;
  const remote = dir && {
    ...servedEntry(moduleName(dir), path.join(ROOT, dir)),
    name: moduleName(dir),
    url: served.url,
    prefix: servedPath(moduleName(dir)),
  };
  return { shell: shell.url, remote, close };
}

/**
 * `rspack serve` of one module for a shell that runs elsewhere (registry-override.mjs); it prints where, and ends with this process.
 * @param {{ module: string, shell: string, port: number }} given `module`: a name, or the folder of a module elsewhere
 * @returns {import('node:child_process').ChildProcess}
 * @throws {Error} naming a module that does not exist
 */
export function serveInShell({ module, shell, port }) {
  const folder = /[\\/]/.test(module) ? path.resolve(module) : path.join(ROOT, folderOf(module));
  return rspackServe(folder, port, ['--env', `shell=${shell}`]);
}

function folderOf(module) {
  const dir = folderOfModule(module);
  if (dir === null) throw new Error(`no module ${module}; there are ${moduleFolders().join(', ')}`);
  return dir;
}

/** The server of a package of this checkout; it answers requests when the first build is done. */
function serve(dir, port) {
  const child = rspackServe(path.join(ROOT, dir), port);
  const url = `http://127.0.0.1:${port}`;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the hot-reload server of ${dir} ended with exit code ${code}`);
  });
  ended.catch(() => undefined);
  return { child, url, ready: Promise.race([answers(url), ended]) };
}

function rspackServe(folder, port, args = []) {
  return fork(RSPACK, ['serve', '--port', String(port), ...args], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

async function answers(url) {
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(LOOK_EVERY_MS);
}
