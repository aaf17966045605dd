import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readWorkspaces } from '@cord/build/workspaces.ts';
import { ROOT } from '../../dev/starter/paths.mjs';

const run = promisify(execFile);
const LOCK = 'package-lock.json';
const FETCH = 'run git fetch --tags --unshallow (git fetch --tags if the clone is not shallow)';

/**
 * Checks out a release into its own folder and builds it with its own build. When its lock file names the same
 * packages, it shares those installed here; else it installs its own.
 * @param ref a commit or a tag
 * @param folder replaced if it exists
 * @param parts arguments of its build, such as --node
 * @throws {Error} naming a release that this clone lacks, and how to fetch it
 */
export async function checkOut(ref: string, folder: string, parts: string[] = []) {
  await run('git', ['cat-file', '-e', `${ref}^{commit}`], { cwd: ROOT }).catch(() => {
    throw new Error(`this clone has no commit or tag ${ref}: ${FETCH}`);
  });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = spawn('git', ['archive', ref], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const unpack = spawn('tar', ['-x', '-C', folder], { stdio: [archive.stdout, 'inherit', 'inherit'] });
  const [[archived], [unpacked]] = await Promise.all([once(archive, 'exit'), once(unpack, 'exit')]);
  if (archived !== 0 || unpacked !== 0) throw new Error(`${ref} could not be unpacked`);
  const locks = await Promise.all([folder, ROOT].map((root) => readFile(join(root, LOCK), 'utf8')));
  if (new Set(locks.map(packagesOf)).size === 1) await sharePackages(folder);
  else await run('npm', ['ci'], { cwd: folder, maxBuffer: 64 << 20 });
  await run(process.execPath, ['infra/build/build.mjs', ...parts], { cwd: folder, maxBuffer: 64 << 20 });
}

interface LockEntry {
  link?: boolean;
  version?: string;
  integrity?: string;
}

/** Returns a lock file's entries of third-party packages. */
export function packagesOf(lock: string): string {
  const foreign = Object.entries<LockEntry>(JSON.parse(lock).packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  return JSON.stringify(foreign.map(([path, { version, integrity }]) => [path, version, integrity]).sort());
}

/** Links the packages installed here into another tree; our own packages are that tree's. */
async function sharePackages(folder: string) {
  const dirs = [...readWorkspaces(folder).values()].map(({ dir }) => dir);
  for (const dir of ['', ...dirs]) {
    const [from, to] = [join(ROOT, dir, 'node_modules'), join(folder, dir, 'node_modules')];
    if (existsSync(from) && existsSync(join(folder, dir))) await shareFolder(from, to);
  }
}

async function shareFolder(from: string, to: string) {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [here, there] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === '.cache') continue;
    // A package of ours is a relative link to its folder.
    if (entry.isSymbolicLink()) await symlink(await readlink(here), there);
    else if (entry.name.startsWith('@')) await shareFolder(here, there);
    else await symlink(here, there);
  }
}
