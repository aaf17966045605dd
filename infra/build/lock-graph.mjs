/** What a package asks for; of workspaces and the root, what they are developed with, too. */
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * All that a lock file says of what a workspace stands on: its packages, theirs, and so on, by the lock's own graph.
 * @param {{packages?: Record<string, object>}} lock a parsed package-lock.json
 * @param {string} dir the workspace's folder relative to the root; '' for the root itself
 * @returns {string} the same text as long as nothing of it changes
 */
export function lockedFor({ packages = {} }, dir) {
  const paths = standsOn({ packages }, dir);
  return JSON.stringify(paths.map((path) => [path, packages[path] ?? null]));
}

/**
 * What a workspace stands on, itself and other workspaces included.
 * @param {{packages?: Record<string, object>}} lock
 * @param {string} dir
 * @param {(entry?: object) => string[]} [asksFor] the names that an entry asks for: all, unless told otherwise
 * @returns {string[]} folders relative to the root, in order
 */
export function standsOn({ packages = {} }, dir, asksFor = asksForAll) {
  const seen = new Set([dir]);
  for (const path of seen) {
    for (const name of asksFor(packages[path])) {
      const found = resolve(packages, path, name);
      if (found !== undefined) seen.add(found);
    }
  }
  return [...seen].sort();
}

/**
 * The workspaces that stand on something that differs between two lock files.
 * @param {object} before @param {object} after parsed
 * @param {string[]} dirs folders of the workspaces
 * @returns {string[]} all of them where what the root itself asks for differs: tests, types and lint run on it
 */
export function lockChanges(before, after, dirs) {
  const differs = (dir) => lockedFor(before, dir) !== lockedFor(after, dir);
  return differs('') ? dirs : dirs.filter(differs);
}

function asksForAll(entry) {
  return KINDS.flatMap((kind) => Object.keys(entry?.[kind] ?? {}));
}

/** Where Node finds a package from there: the nearest node_modules above; a link leads to its workspace. */
function resolve(packages, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    const found = packages[path];
    if (found) return found.link ? found.resolved : path;
    if (at === '') return undefined;
  }
}
