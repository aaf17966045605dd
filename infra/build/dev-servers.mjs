import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rspack/core';
import { RspackDevServer } from '@rspack/dev-server';
import { webPackages } from './built.mjs';
import { factsOfModule } from './module-facts.mjs';
import { moduleName } from './module-name.mjs';
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
  const shell = await serve('shell', '/');
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
 * One module for a shell that is built and runs elsewhere: its React knows no hot reload, so the page is loaded anew.
 * @param {string} module 'mining' or 'mfe-mining'
 * @returns {Promise<{ remote: object, close(): Promise<void> }>} `remote` as of `startDevServers`
 */
export function startModuleServer(module) {
  return serveModule(folderOf(module), { reload: true });
}

function folderOf(module) {
  const dir = `mfe-${module.replace(/^mfe-/, '')}`;
  const built = webPackages().map((workspace) => workspace.dir);
  if (!built.includes(dir)) throw new Error(`no module ${module}; there are ${built.join(', ')}`);
  return dir;
}

async function serveModule(dir, how) {
  const folder = path.join(ROOT, dir);
  const name = moduleName(dir);
  const prefix = `/modules/${name}/dev/`;
  const { url, stop } = await serve(dir, prefix, how);
  const remote = { name, url, prefix, entry: `${prefix}mf-manifest.json` };
  return { remote: { ...remote, sdk: rangesOf(folder).sdk, ...factsOfModule(folder) }, close: stop };
}

async function serve(dir, publicPath, { reload = false } = {}) {
  const { default: config } = await import(pathToFileURL(path.join(ROOT, dir, 'rspack.config.mjs')).href);
  const options = config({ dev: true, refresh: !reload, buildId: 'dev', publicPath });
  const compiler = rspack(options);
  const server = new RspackDevServer(
    {
      ...options.devServer,
      hot: !reload,
      liveReload: reload,
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
