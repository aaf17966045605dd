import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rspack/core';
import { RspackDevServer } from '@rspack/dev-server';
import { folderOfModule, moduleFolders, webPackages } from './built.mjs';
import { factsOfModule } from './module-facts.mjs';
import { rangesOf } from './shared.mjs';
import { buildWeb } from './web-build.mjs';
import { ROOT } from './workspaces.mjs';

/**
 * Hot reload for the shell and one module; the other modules are built as usual. Each dev server listens on a free
 * loopback port, and the gateway passes requests to it by path, so that the page keeps its one origin.
 *
 * @param {{ module?: string }} options 'mining' or 'mfe-mining'; without it the shell alone reloads
 * @returns {Promise<{ shell: string, remote: null | { name: string, url: string, prefix: string, entry: string, sdk: string, tab?: object, parts: object[] }, close(): Promise<void> }>}
 *   `prefix`: requests under it go to `url` with their whole path; `sdk`: the range that it works with, built or not; `tab` and `parts`: what it brings
 */
export async function startDevServers({ module } = {}) {
  const dir = module ? folderOf(module) : null;
  const built = webPackages().map((workspace) => workspace.dir);
  await buildWeb({ only: built.filter((other) => other !== dir && other !== 'shell') });
  const shell = await serve(path.join(ROOT, 'shell'), '/');
  const served = dir ? await serveModule(dir) : null;
  return {
    shell: shell.url,
    remote: served?.remote ?? null,
    close: async () => {
      await Promise.all([shell.stop(), served?.close()]);
    },
  };
}

/**
 * One module for a shell that is built and runs elsewhere: what changes is put into the page as it stands (hot/).
 * @param {string} module 'mining', 'mfe-mining', or the folder of one elsewhere
 * @returns {Promise<{ remote: object, close(): Promise<void> }>} `remote` as of `startDevServers`
 */
export function startModuleServer(module) {
  return serveModule(isModuleFolder(module) ? module : folderOf(module), { inBuiltShell: true });
}

function isModuleFolder(text) {
  return /[\\/]/.test(text) && existsSync(path.join(text, 'rspack.config.mjs'));
}

function folderOf(module) {
  const dir = folderOfModule(module);
  if (dir === null) throw new Error(`no module ${module}; there are ${moduleFolders().join(', ')}`);
  return dir;
}

async function serveModule(dir, how) {
  const folder = path.resolve(ROOT, dir);
  const { name } = (await configOf(folder))();
  const prefix = `/modules/${name}/dev/`;
  const { url, stop } = await serve(folder, prefix, how);
  const remote = { name, url, prefix, entry: `${prefix}mf-manifest.json` };
  return { remote: { ...remote, sdk: rangesOf(folder).sdk, ...factsOfModule(folder) }, close: stop };
}

async function serve(folder, publicPath, how) {
  const config = await configOf(folder);
  const options = config({ dev: true, buildId: 'dev', publicPath, ...how });
  const compiler = rspack(options);
  const server = new RspackDevServer(
    {
      ...options.devServer,
      host: '127.0.0.1',
      port: 'auto',
      // Each server has its own socket path under its prefix, so that the gateway can tell the two apart.
      webSocketServer: { type: 'ws', options: { path: `${publicPath}hot` } },
      client: {
        ...options.devServer.client,
        webSocketURL: { hostname: '0.0.0.0', port: 0, pathname: `${publicPath}hot` },
      },
      devMiddleware: { publicPath },
      // Whoever started it also ends it: by itself it would end the process at the first signal, and leave the rest running.
      setupExitSignals: false,
    },
    compiler,
  );
  await server.start();
  const { port } = server.server.address();
  return { url: `http://127.0.0.1:${port}`, stop: () => server.stop() };
}

async function configOf(folder) {
  return (await import(pathToFileURL(path.join(folder, 'rspack.config.mjs')).href)).default;
}
