import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lockedFor } from './lock-graph.ts';
import { sourceFiles } from './source-files.ts';
import { ROOT, type Workspaces, withDependencies, workspaceOf } from './workspaces.ts';

const NOT_BUILT = ['!**/*.{test,stories}.{ts,tsx}', '!**/*.{md,tsbuildinfo}', '!**/bench/**'];

/**
 * Hashes everything that can change a package's build: its sources, those of imported workspace packages, and the lock
 * file's entries of its dependencies. Tests and stories do not count. 12 hex characters.
 */
export function contentHash(workspaces: Workspaces, name: string, root = ROOT): string {
  const hash = createHash('sha256');
  for (const dependency of [...withDependencies(workspaces, name)].sort()) {
    const { dir } = workspaceOf(workspaces, dependency);
    const nested = [...workspaces.values()].map((w) => w.dir).filter((d) => d.startsWith(`${dir}/`));
    // shell/sdk is not part of shell.
    for (const file of sourceFiles([`${dir}/**`, ...NOT_BUILT, ...nested.map((other) => `!${other}/**`)], root)) {
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(path.join(root, file)))
        .update('\0');
    }
  }
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  hash.update(lockedFor(lock, workspaceOf(workspaces, name).dir));
  return hash.digest('hex').slice(0, 12);
}
