import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Workspace {
  /** Package name, `@cord/mining`. */
  name: string;
  /** Folder relative to the root, `services/mining`. */
  dir: string;
  version: string;
  /** Names of the workspace packages that it imports. */
  dependsOn: string[];
  /** Those that it needs at run time. */
  runsOn: string[];
}

/** By name. */
export type Workspaces = ReadonlyMap<string, Workspace>;

/** The fields used from a package.json. */
interface Manifest {
  name: string;
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Every workspace package, by name. */
export function readWorkspaces(root = ROOT): Workspaces {
  const patterns = readManifest(root).workspaces ?? [];
  const manifests = patterns
    .flatMap((pattern) => expand(root, pattern))
    .map((dir) => ({ dir, manifest: readManifest(path.join(root, dir)) }));
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

/** @throws {Error} naming a package outside the workspace */
export function workspaceOf(workspaces: Workspaces, name: string): Workspace {
  const found = workspaces.get(name);
  if (!found) throw new Error(`no workspace is named ${name}`);
  return found;
}

/** Returns the package and its direct and indirect dependencies. */
export function withDependencies(workspaces: Workspaces, name: string): Set<string> {
  return closure(name, (n) => workspaceOf(workspaces, n).dependsOn);
}

/** Returns the package and its direct and indirect dependents. */
export function withDependents(workspaces: Workspaces, name: string): Set<string> {
  const all = [...workspaces.values()];
  return closure(name, (n) => all.filter((w) => w.dependsOn.includes(n)).map((w) => w.name));
}

function closure(start: string, next: (name: string) => string[]): Set<string> {
  const seen = new Set([start]);
  for (const name of seen) for (const other of next(name)) seen.add(other);
  return seen;
}

/** Expands a workspace pattern: a folder, or a prefix with `*` for each folder with a package.json. */
function expand(root: string, pattern: string): string[] {
  if (!pattern.endsWith('*')) return [pattern];
  const [parent, prefix] = [path.dirname(pattern), path.basename(pattern).slice(0, -1)];
  return readdirSync(path.join(root, parent))
    .filter((name) => name.startsWith(prefix))
    .map((name) => path.join(parent, name))
    .filter((dir) => existsSync(path.join(root, dir, 'package.json')))
    .sort();
}

function readManifest(dir: string): Manifest {
  return JSON.parse(readFileSync(path.join(dir, 'package.json'), 'utf8'));
}
