/** What a lock file has of a package, by its folder. */
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

/** The dependencies of a package; of workspaces and the root, what they are developed with, too. */
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/**
 * All entries of a lock file that a workspace stands on: its packages, theirs, and so on, by the lock's own graph.
 * @param dir the workspace's folder relative to the root; '' for the root itself
 * @returns the same text as long as nothing of it changes
 */
export function lockedFor({ packages = {} }: Lock, dir: string): string {
  const paths = standsOn(packages, dir);
  return JSON.stringify(paths.map((path) => [path, packages[path] ?? null]));
}

/** The folders, relative to the root, of a workspace and of everything that it depends on, in order. */
function standsOn(packages: Packages, dir: string): string[] {
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
 * The workspaces that stand on something that differs between two lock files.
 * @param dirs folders of the workspaces
 * @returns all of them where the dependencies of the root itself differ: tests, types and lint run on it
 */
export function lockChanges(before: Lock, after: Lock, dirs: string[]): string[] {
  const differs = (dir: string) => lockedFor(before, dir) !== lockedFor(after, dir);
  return differs('') ? dirs : dirs.filter(differs);
}

function dependenciesOf(entry: Locked | undefined): string[] {
  return KINDS.flatMap((kind) => Object.keys(entry?.[kind] ?? {}));
}

/** Where Node finds a package from there: the nearest node_modules above; a link leads to its workspace. */
function resolve(packages: Packages, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    const found = packages[path];
    if (found) return found.link ? found.resolved : path;
    if (at === '') return undefined;
  }
}
