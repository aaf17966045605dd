import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ModuleStore } from '../store/folder-store.js';
import { Refused } from '../store/refused.js';
import { filesOf } from '../store/release-line.js';

const HASH_CHARS = 12;
/** Files that no service needs: source maps, and helpers for tests and commands in kit and contracts. */
const LEFT_OUT = /\.map$|(^|\/)\.|^node_modules\/@cord\/(kit\/dist\/testing|contracts\/dist\/record)\//;

/**
 * A built service with its kit and contracts. It is complete except for third-party packages, which all releases share
 * (`releases/node_modules`).
 */
export interface BuiltService {
  name: string;
  /** From its package.json, with a hash of all files. */
  version: string;
  contents: Record<string, Uint8Array>;
  /** sha256 by path. */
  files: Record<string, string>;
  /** bytes */
  size: number;
}

/** Source path of each file, by its path in the release. */
type Sources = Record<string, string>;

/** The version name of a service that runs the checkout's build. */
export const CHECKOUT = 'checkout';

/** Returns the program of a release. @param folder of the release */
export const mainOf = (folder: string): string => path.join(folder, 'dist/main.js');

/** Returns the folder of a release. */
export const releaseFolder = (dataDir: string, name: string, version: string): string =>
  path.join(dataDir, 'releases', filesOf(name, version));

/**
 * @param name of the service
 * @param from folder of the service, or of a checkout that has it
 * @throws Refused naming what is missing
 */
export async function builtService(name: string, from: string): Promise<BuiltService> {
  const folder = await folderOf(name, path.resolve(from));
  const sources: Sources = {
    ...(await tree(folder, 'dist', '')),
    'package.json': path.join(folder, 'package.json'),
    ...(await tree(packageOf('kit', folder), 'dist', 'node_modules/@cord/kit/')),
    'node_modules/@cord/kit/package.json': path.join(packageOf('kit', folder), 'package.json'),
    ...(await unbuiltOf('kit', folder)),
    ...(await tree(packageOf('contracts', folder), 'dist', 'node_modules/@cord/contracts/')),
    'node_modules/@cord/contracts/package.json': path.join(packageOf('contracts', folder), 'package.json'),
    ...(await unbuiltOf('contracts', folder)),
    ...(isWorkspace(folder) ? await ownVersions(folder) : {}),
  };
  const contents = Object.fromEntries(
    await Promise.all(Object.entries(sources).map(async ([to, file]) => [to, await readFile(file)] as const)),
  );
  const files = Object.fromEntries(Object.entries(contents).map(([to, bytes]) => [to, sha256Of(bytes)]));
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const all = sha256Of(
    Object.keys(files)
      .sort()
      .map((to) => `${to} ${files[to]}\n`)
      .join(''),
  );
  return {
    name,
    version: `${version}-${all.slice(0, HASH_CHARS)}`,
    contents,
    files,
    size: Object.values(contents).reduce((sum, { length }) => sum + length, 0),
  };
}

/**
 * Writes a built service into the releases, unless it exists. It is not live yet.
 * @returns its journal entry
 */
export async function uploadRelease(
  store: ModuleStore,
  { name, version, contents, files, size }: BuiltService,
): Promise<Pick<BuiltService, 'version' | 'size' | 'files'>> {
  const place = filesOf(name, version);
  // Touched before the journal names it, so that no prune removes it between the upload and the switch.
  while (!(await store.upload(place, contents)) && !(await store.touch(place)));
  return { version, size, files };
}

async function folderOf(name: string, from: string): Promise<string> {
  const nested = path.join(from, 'services', name);
  const folder = existsSync(nested) ? nested : from;
  const manifest = await readFile(path.join(folder, 'package.json'), 'utf8').then(
    (text) => JSON.parse(text) as { name: string },
    () => undefined,
  );
  if (!manifest) throw new Refused(`${from} is not a service: it has no package.json`);
  if (manifest.name !== `@cord/${name}`) throw new Refused(`${folder} contains ${manifest.name}, not ${name}`);
  if (!existsSync(mainOf(folder))) throw new Refused(`${folder} is not built: it has no dist/main.js`);
  return folder;
}

/** Returns the kit or the contracts of a service: its neighbour in a checkout, else the installed package. */
function packageOf(name: string, folder: string): string {
  const installed = createRequire(path.join(folder, 'package.json')).resolve.paths(`@cord/${name}`) ?? [];
  const places = [path.join(folder, '..', name), ...installed.map((modules) => path.join(modules, '@cord', name))];
  const found = places.find((place) => existsSync(path.join(place, 'dist')));
  if (!found) throw new Refused(`${folder} has no built @cord/${name}, neither beside it nor installed`);
  return found;
}

/** Returns files of kit or contracts outside their build that the exports of package.json name individually. */
async function unbuiltOf(name: string, folder: string): Promise<Sources> {
  const own = packageOf(name, folder);
  const { exports = {} } = JSON.parse(await readFile(path.join(own, 'package.json'), 'utf8'));
  const exported = Object.values<unknown>(exports).filter((one): one is string => typeof one === 'string');
  return Object.fromEntries(
    exported.map((file) => [path.posix.join('node_modules/@cord', name, file), path.join(own, file)]),
  );
}

const isWorkspace = (folder: string) => existsSync(path.join(folder, '../kit/package.json'));

/** Returns packages that a workspace has in its own versions. */
async function ownVersions(folder: string): Promise<Sources> {
  const names = await readdir(path.join(folder, 'node_modules')).catch(() => []);
  const trees = names
    .filter((name) => !name.startsWith('.') && name !== '@cord')
    .map((name) => tree(path.join(folder, 'node_modules'), name, 'node_modules/'));
  return Object.assign({}, ...(await Promise.all(trees)));
}

/** Returns the files below a folder of `root`, by their path in the release. */
async function tree(root: string, folder: string, prefix: string): Promise<Sources> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry): Promise<Sources> => {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return tree(root, file, prefix);
      return LEFT_OUT.test(prefix + file) ? {} : { [prefix + file]: path.join(root, file) };
    }),
  );
  return Object.assign({}, ...found);
}

function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
