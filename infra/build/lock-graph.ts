/** A lock file's entry of a package; the key is its folder. */
interface Locked {
  link?: boolean;
  resolved?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

type Packages = Record<string, Locked>;

/** A parsed package-lock.json. */
export interface Lock {
  packages?: Packages;
}

/** Kinds of dependencies; devDependencies exist for workspaces and the root only. */
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/**
 * Returns a lock file's entries of all direct and indirect dependencies of a workspace.
 * @param dir the workspace's folder relative to the root; '' for the root itself
 * @returns the same text as long as none of them changes
 */
export function lockedFor({ packages = {} }: Lock, dir: string): string {
  const paths = dependenciesWithin(packages, dir);
  return JSON.stringify(paths.map((path) => [path, packages[path] ?? null]));
}

/** Returns the folders of a workspace and of all its dependencies, relative to the root, in order. */
function dependenciesWithin(packages: Packages, dir: string): string[] {
  const seen = new Set([dir]);
  for (const path of seen) {
    for (const name of dependenciesOf(packages[path])) {
      const found = resolve(packages, path, name);
      if (found !== undefined) seen.add(found);
    }
  }
  return [...seen].sort();
}

/**
 * Returns the workspaces whose dependencies differ between two lock files.
 * @param dirs folders of the workspaces
 * @returns all of them when the root's own dependencies differ: tests, types and lint use these
 */
export function lockChanges(before: Lock, after: Lock, dirs: string[]): string[] {
  const differs = (dir: string) => lockedFor(before, dir) !== lockedFor(after, dir);
  return differs('') ? dirs : dirs.filter(differs);
}

function dependenciesOf(entry: Locked | undefined): string[] {
  return KINDS.flatMap((kind) => Object.keys(entry?.[kind] ?? {}));
}

/** Resolves a package like Node: the nearest node_modules above; a link resolves to its workspace. */
function resolve(packages: Packages, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    const found = packages[path];
    if (found) return found.link ? found.resolved : path;
    if (at === '') return undefined;
  }
}
