import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rspack/core';
import { contentHash } from './content-hash.mjs';
import { isPublished, moduleStoreDir, publish } from './module-store.mjs';
import { precompress } from './precompress.mjs';
import { ROOT, readWorkspaces } from './workspaces.mjs';

const PARALLEL = 2;

/**
 * Builds every web package (each workspace with an rspack.config.mjs) whose sources changed, two at a time, and publishes
 * the modules. `onBuilt` hears of each one as it ends.
 *
 * @param {{ only?: string[], force?: boolean, onBuilt?: (result: Built) => void }} [options] `only`: folder names
 * @typedef {{ dir: string, version: string, fresh: boolean, ms: number }} Built `fresh`: nothing had changed
 * @throws {Error} with the compiler's messages
 */
export async function buildWeb({ only, force = false, onBuilt = () => {} } = {}) {
  const workspaces = readWorkspaces();
  const sdkRange = sdkRangeOf(workspaces);
  const queue = webPackages(workspaces).filter(({ dir }) => !only || only.includes(dir));
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      onBuilt(await buildOne({ workspaces, workspace: next, sdkRange, force }));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** The sdk versions that a module built now works with, as the registry has them. */
export function sdkRangeOf(workspaces = readWorkspaces()) {
  return `^${workspaces.get('@cord/sdk').version}`;
}

/** The shell and the modules: what has an rspack.config.mjs. */
export function webPackages(workspaces = readWorkspaces()) {
  return [...workspaces.values()].filter(({ dir }) => existsSync(path.join(ROOT, dir, 'rspack.config.mjs')));
}

async function buildOne({ workspaces, workspace, sdkRange, force }) {
  const startedMs = performance.now();
  const { dir } = workspace;
  const out = path.join(ROOT, dir, 'dist');
  const hash = contentHash(workspaces, workspace.name);
  const version = `${workspace.version}-${hash}`;
  const fresh = !force && readStamp(out) === version;
  if (!fresh) {
    await compile(dir, hash);
    await precompress(out);
    writeFileSync(path.join(out, '.build.json'), JSON.stringify({ version }));
  }
  if (dir !== 'shell') publishModule({ dir, version, out, sdkRange });
  return { dir, version, fresh, ms: Math.round(performance.now() - startedMs) };
}

function publishModule({ dir, version, out, sdkRange }) {
  const name = dir.replaceAll('-', '_');
  const store = moduleStoreDir();
  mkdirSync(store, { recursive: true });
  if (!isPublished(name, version, store) && !existsSync(path.join(out, 'mf-manifest.json'))) {
    throw new Error(`${dir}: the build made no mf-manifest.json`);
  }
  publish({ name, version, sdk: sdkRange, from: out }, store);
}

/** The version that lies in dist, or null: the stamp is written last, so a broken build has none. */
function readStamp(out) {
  const file = path.join(out, '.build.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}

async function compile(dir, buildId) {
  const { default: config } = await import(pathToFileURL(path.join(ROOT, dir, 'rspack.config.mjs')).href);
  const compiler = rspack(config({ buildId }));
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result))));
  });
  if (stats.hasErrors()) throw new Error(`${dir}:\n${stats.toString({ all: false, errors: true, colors: false })}`);
}
