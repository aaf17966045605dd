import path from 'node:path';
import { rspack } from '@rspack/core';

/** The rest of this folder runs in the page. */
const HERE = import.meta.dirname;
const SDK = path.join(HERE, 'sdk.mjs');
const EXPOSED = ['page', 'parts'];

/** What the shell gets of a module: what stays while the module's own changes. @param {Record<string, string>} exposes the module's own */
export function hotExposes(exposes) {
  return Object.fromEntries(
    Object.keys(exposes).map((name) => [name, path.join(HERE, `${name.replace('./', '')}.mjs`)]),
  );
}

/**
 * The configuration of a module whose changes show at once in a shell that is built, with its state kept (runtime.mjs).
 * @param {import('@rspack/core').Configuration} config for development, with `hotExposes`
 * @param {{dir: string, exposes: Record<string, string>}} module with its own exposes
 */
export function hotInBuiltShell(config, { dir, exposes }) {
  const own = EXPOSED.filter((name) => exposes[`./${name}`]);
  const alias = {
    ...Object.fromEntries(own.map((name) => [`cord-module/${name}$`, path.resolve(dir, exposes[`./${name}`])])),
    'react/jsx-dev-runtime$': path.join(HERE, 'jsx.mjs'),
    'react-refresh': HERE,
  };
  const sdkByOurs = new rspack.NormalModuleReplacementPlugin(/^@cord\/sdk$/, (asked) => {
    if (asked.contextInfo.issuer !== SDK) asked.request = SDK;
  });
  return {
    ...config,
    // What does not build stays out of the page: the update after it leads on from what was built last.
    optimization: { ...config.optimization, emitOnErrors: false },
    resolve: { ...config.resolve, alias: { ...config.resolve.alias, ...alias } },
    plugins: [sdkByOurs, ...config.plugins],
    // A change that cannot be put in is said, and never loads the page anew.
    devServer: { ...config.devServer, hot: 'only', liveReload: false },
  };
}
