import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lockedFor } from './lock-graph.mjs';
import { ROOT, withDependencies } from './workspaces.mjs';

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'storybook-static', 'bench', '.cache']);
const SKIPPED_FILES = /\.(test|stories)\.[cm]?tsx?$|\.md$|\.tsbuildinfo$|^\./;

/**
 * A hash of all that can change a package's build: its sources, those of the workspace packages it imports, and what
 * the lock file holds of the packages that it stands on. Tests and stories do not count. 12 hex characters.
 */
export function contentHash(workspaces, name, root = ROOT) {
  const hash = createHash('sha256');
  for (const dependency of [...withDependencies(workspaces, name)].sort()) {
    const { dir } = workspaces.get(dependency);
    const nested = [...workspaces.values()].map((w) => w.dir).filter((d) => d.startsWith(`${dir}/`));
    for (const file of sourceFiles(root, dir, nested)) {
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(path.join(root, file)))
        .update('\0');
    }
  }
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  hash.update(lockedFor(lock, workspaces.get(name).dir));
  return hash.digest('hex').slice(0, 12);
}

/** Source files below `dir`, sorted, without the folders of packages nested in it (shell/sdk is not the shell's). */
function sourceFiles(root, dir, nested) {
  return readdirSync(path.join(root, dir), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${dir}/${entry.name}`;
      if (entry.isDirectory()) {
        return SKIPPED_FOLDERS.has(entry.name) || nested.includes(file) ? [] : sourceFiles(root, file, nested);
      }
      return entry.isFile() && !SKIPPED_FILES.test(entry.name) ? [file] : [];
    });
}
