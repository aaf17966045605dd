import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { ROOT } from './workspaces.mjs';

/** Published versions kept of one module, the one in use not counted. */
const KEPT_VERSIONS = 5;

/** Where published modules lie: MODULE_STORE, or a folder beside the build scripts. */
export function moduleStoreDir(env = process.env) {
  return env.MODULE_STORE ? path.resolve(env.MODULE_STORE) : path.join(ROOT, 'infra/build/dist/modules');
}

/** The registry: {modules: {mfe_tasks: {version, entry, sdk}}}. */
export function readRegistry(store = moduleStoreDir()) {
  const file = path.join(store, 'remotes.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { modules: {} };
}

/** Replaces the registry in one step: a reader sees the old one or the new one. */
export function writeRegistry(registry, store = moduleStoreDir()) {
  mkdirSync(store, { recursive: true });
  const file = path.join(store, 'remotes.json');
  writeFileSync(`${file}.next`, `${JSON.stringify(registry, null, 2)}\n`);
  renameSync(`${file}.next`, file);
}

export function isPublished(name, version, store = moduleStoreDir()) {
  return existsSync(path.join(store, name, version, 'mf-manifest.json'));
}

/**
 * Uploads one built module into its immutable folder and points the registry at it. A version that already lies there
 * is left as it is, and so is the pointer: a rollback survives the next build of the same sources.
 *
 * @returns {boolean} whether the registry now points at this version
 */
export function publish({ name, version, sdk, from }, store = moduleStoreDir()) {
  const registry = readRegistry(store);
  const known = isPublished(name, version, store);
  if (!known) upload(from, path.join(store, name, version));
  if (known && registry.modules[name]) return registry.modules[name].version === version;
  const { canary: _ended, ...previous } = registry.modules[name] ?? {};
  registry.modules[name] = { ...previous, version, entry: `/modules/${name}/${version}/mf-manifest.json`, sdk };
  writeRegistry(registry, store);
  prune(name, version, store);
  return true;
}

/** Versions of a module that lie in the store, newest upload first. */
export function publishedVersions(name, store = moduleStoreDir()) {
  const folder = path.join(store, name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((version) => isPublished(name, version, store))
    .sort((a, b) => statSync(path.join(folder, b)).mtimeMs - statSync(path.join(folder, a)).mtimeMs);
}

/**
 * Points the registry at a published version: the one atomic switch of a publish or a rollback.
 * @throws {Error} for a version that does not lie in the store
 */
export function switchTo(name, version, store = moduleStoreDir()) {
  if (!isPublished(name, version, store)) throw new Error(`${name} ${version} was never published`);
  const registry = readRegistry(store);
  registry.modules[name] = {
    ...registry.modules[name],
    version,
    entry: `/modules/${name}/${version}/mf-manifest.json`,
  };
  writeRegistry(registry, store);
}

/** Copy beside, then rename: a half-written folder never has the version's name. */
function upload(from, to) {
  const partial = `${to}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(path.dirname(to), { recursive: true });
  cpSync(from, partial, { recursive: true, filter: (file) => path.basename(file) !== '.build.json' });
  rmSync(to, { recursive: true, force: true });
  renameSync(partial, to);
}

function prune(name, current, store) {
  const folder = path.join(store, name);
  const older = publishedVersions(name, store).filter((version) => version !== current);
  for (const version of older.slice(KEPT_VERSIONS))
    rmSync(path.join(folder, version), { recursive: true, force: true });
}
