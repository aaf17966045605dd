import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * @typedef {object} Workspace
 * @property {string} name package name, '@cord/mining'
 * @property {string} dir folder relative to the root, 'services/mining'
 * @property {string} version
 * @property {string[]} dependsOn names of the workspace packages it imports
 * @property {string[]} runsOn those of them that it needs when it runs
 */

/** Every workspace package, by name. @returns {Map<string, Workspace>} */
export function readWorkspaces(root = ROOT) {
  const patterns = readJson(path.join(root, 'package.json')).workspaces;
  const manifests = patterns
    .flatMap((pattern) => expand(root, pattern))
    .map((dir) => ({
      dir,
      manifest: readJson(path.join(root, dir, 'package.json')),
    }));
  const names = new Set(manifests.map(({ manifest }) => manifest.name));
  return new Map(
    manifests.map(({ dir, manifest }) => [
      manifest.name,
      {
        name: manifest.name,
        dir,
        version: manifest.version,
        dependsOn: Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((n) => names.has(n)),
        runsOn: Object.keys(manifest.dependencies ?? {}).filter((n) => names.has(n)),
      },
    ]),
  );
}

/** The package and everything it imports, directly or not. */
export function withDependencies(workspaces, name) {
  return closure(name, (n) => workspaces.get(n).dependsOn);
}

/** The package and everything that imports it, directly or not. */
export function withDependents(workspaces, name) {
  const all = [...workspaces.values()];
  return closure(name, (n) => all.filter((w) => w.dependsOn.includes(n)).map((w) => w.name));
}

function closure(start, next) {
  const seen = new Set([start]);
  for (const name of seen) for (const other of next(name)) seen.add(other);
  return seen;
}

/** A workspace pattern is a folder, or `folder/*` for each folder in it that has a package.json. */
function expand(root, pattern) {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  return readdirSync(path.join(root, parent))
    .map((name) => `${parent}/${name}`)
    .filter((dir) => existsSync(path.join(root, dir, 'package.json')))
    .sort();
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
