import { lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { filePool } from '@cord/deploy/services/file-pool.mjs';
import { builtService, mainOf, releaseFolder, uploadRelease } from '@cord/deploy/services/release.mjs';
import { folderStore } from '@cord/deploy/store/folder-store.mjs';
import { prune } from '@cord/deploy/store/prune.mjs';
import { Refused } from '@cord/deploy/store/refused.mjs';
import { filesOf, readPointer } from '@cord/deploy/store/release-line.mjs';
import { saidBy, switchTo } from '@cord/deploy/store/releases.mjs';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';

const WORD = { who: 'npm start', by: 'start' };

/** The releases of the services of a data folder. @param {string} dataDir */
export const releaseStore = (dataDir) => folderStore(join(dataDir, 'releases'));

/**
 * What each service is to run: what its journal says; in local mode what the checkout has newer, unless the last word was a
 * person's. A service that has no journal begins one with what the checkout has. All of it is copied, so that a running system
 * has nothing to do with what is built beside it.
 * @param {{local: boolean, dataDir: string}} settings
 * @param {string[]} services
 * @param {(line: string) => void} say what stays as it is, and why
 * @param {(name: string) => Promise<import('@cord/deploy/services/release.mjs').BuiltService>} [built]
 * @returns {Promise<Map<string, {version: string, main: string}>>}
 * @throws {StartError} naming a release whose files are gone, or a build that is none
 */
export async function releasesToRun({ local, dataDir }, services, say, built = ofCheckout()) {
  const store = releaseStore(dataDir);
  const pool = filePool(store.where);
  await shareDependencies(join(dataDir, 'releases'));
  const chosen = services.map(async (name) => [
    name,
    await releaseOf(store, name, { local, dataDir, say, built: await built(name), pool }),
  ]);
  const releases = await Promise.all(chosen).catch((error) => {
    throw error instanceof Refused ? new StartError(`${error.message}.`) : error;
  });
  await prune(store);
  await pool.sweep();
  return new Map(releases);
}

/** What the checkout has; kit and contracts are looked at once. */
function ofCheckout() {
  const known = new Map();
  return (name) => builtService(name, ROOT, known);
}

async function releaseOf(store, name, { local, dataDir, say, built, pool }) {
  const before = await readPointer(store, name);
  const stays = before && before.version !== built.version && (!local || before.by === 'person');
  if (stays) {
    say(
      `${name} stays at ${before.version} (${saidBy(before)}); here is ${built.version}: npm run service -- deploy ${name}`,
    );
    if (!(await store.touch(filesOf(name, before.version))))
      throw new StartError(`${name} should run ${before.version}, but its files are missing from ${store.where}.`);
  } else {
    await switchTo(store, name, await uploadRelease(store, built, pool), WORD, { unlessPerson: true });
  }
  const { version } = stays ? before : built;
  return { version, main: mainOf(releaseFolder(dataDir, name, version)) };
}

/** What others have written lies once, in the checkout; releases find it above their own folder. */
async function shareDependencies(folder) {
  const link = join(folder, 'node_modules');
  const target = join(ROOT, 'node_modules');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await lstat(link).catch(() => undefined);
  if (there?.isSymbolicLink() && (await readlink(link)) === target) return;
  if (there && !there.isSymbolicLink()) throw new StartError(`${link} is in the way of a link to the dependencies.`);
  await rm(link, { force: true });
  await symlink(target, link);
}
