import { lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT, mainOf, releaseFolder } from '../../deploy/services/release.ts';
import { folderStore } from '../../deploy/store/folder-store.ts';
import { prune } from '../../deploy/store/prune.ts';
import { filesOf, readPointer } from '../../deploy/store/release-line.ts';
import { describeAuthor } from '../../deploy/store/releases.ts';
import { ROOT } from './paths.mjs';
import { StartError } from './problems.mjs';
import type { Release } from './rolling-update.ts';

/** The deployed releases of services in a data folder. */
export const releaseStore = (dataDir: string) => folderStore(join(dataDir, 'releases'));

/** Returns the program of a service at a version. */
export function releaseAt(dataDir: string, service: string, version: string): Release {
  const folder = version === CHECKOUT ? join(ROOT, 'services', service) : releaseFolder(dataDir, service, version);
  return { version, main: mainOf(folder) };
}

/**
 * Returns the release of each service: its deployed copy (`service deploy`), else the checkout's build.
 * @param report called with the services that run a copy, and how to return to the checkout
 * @throws {StartError} naming a release whose files are missing
 */
export async function releasesToRun(
  { dataDir }: { dataDir: string },
  services: string[],
  report: (line: string) => void,
): Promise<Map<string, Release>> {
  const store = releaseStore(dataDir);
  await shareDependencies(store.where);
  const chosen = services.map(async (name): Promise<[string, Release]> => {
    const line = await readPointer(store, name);
    if (!line || line.version === CHECKOUT) return [name, releaseAt(dataDir, name, CHECKOUT)];
    if (!(await store.touch(filesOf(name, line.version))))
      throw new StartError(`${name} should run ${line.version}, but its files are missing from ${store.where}.`);
    report(
      `${name} runs its deployed release ${line.version} (${describeAuthor(line)}), NOT this checkout. To run the checkout: npx cord service rollback ${name} ${CHECKOUT}`,
    );
    return [name, releaseAt(dataDir, name, line.version)];
  });
  const releases = new Map(await Promise.all(chosen));
  await prune(store, report);
  return releases;
}

/** Dependencies exist once, in the checkout; a link above the release's folder lets Node find them. */
async function shareDependencies(folder: string) {
  const link = join(folder, 'node_modules');
  const target = join(ROOT, 'node_modules');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await lstat(link).catch(() => undefined);
  if (there?.isSymbolicLink() && (await readlink(link)) === target) return;
  if (there && !there.isSymbolicLink())
    throw new StartError(`${link} must be a link to the dependencies: remove what is there.`);
  await rm(link, { force: true });
  await symlink(target, link);
}
