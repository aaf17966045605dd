import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { ModuleStore } from '../store/folder-store.js';
import { Refused } from '../store/refused.js';
import { filesOf } from '../store/release-line.js';

const HASH_CHARS = 12;
/** What no service runs: maps of sources that are not there, what tests and commands need of kit and contracts. */
const LEFT_OUT = /\.map$|(^|\/)\.|^node_modules\/@cord\/(kit\/dist\/testing|contracts\/dist\/record)\//;

/**
 * A service as it lies built, with the kit and the contracts that it was built with: whole, but for packages of others,
 * which all releases share (`releases/node_modules`).
 */
export interface BuiltService {
  name: string;
  /** Of its package.json, with a hash of all files. */
  version: string;
  contents: Record<string, Uint8Array>;
  /** sha256 by path. */
  files: Record<string, string>;
  /** bytes */
  size: number;
}

/** The path of each file, by its path in the release. */
type Sources = Record<string, string>;

/** The version of a service that runs what the checkout has built. */
export const CHECKOUT = 'checkout';

/** What a release is started with. @param folder of the release */
export const mainOf = (folder: string): string => path.join(folder, 'dist/main.js');

/** Where the files of a release lie. */
export const releaseFolder = (dataDir: string, name: string, version: string): string =>
  path.join(dataDir, 'releases', filesOf(name, version));

/**
 * @param name of the service
 * @param from the folder of the service, or of a checkout that has it
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
 * Writes a built service among the releases, unless it is there already. It does not run by that.
 * @returns its entry in its journal
 */
export async function uploadRelease(
  store: ModuleStore,
  { name, version, contents, files, size }: BuiltService,
): Promise<Pick<BuiltService, 'version' | 'size' | 'files'>> {
  const place = filesOf(name, version);
  // Noted as named before it is: nobody takes it away between the upload and the switch.
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
  if (!manifest) throw new Refused(`${from} holds no service: there is no package.json`);
  if (manifest.name !== `@cord/${name}`) throw new Refused(`${folder} holds ${manifest.name}, and not ${name}`);
  if (!existsSync(mainOf(folder))) throw new Refused(`${folder} is not built: there is no dist/main.js`);
  return folder;
}

/** The kit or the contracts that a service runs with: its neighbour in a checkout, else what it has installed. */
function packageOf(name: string, folder: string): string {
  const installed = createRequire(path.join(folder, 'package.json')).resolve.paths(`@cord/${name}`) ?? [];
  const places = [path.join(folder, '..', name), ...installed.map((modules) => path.join(modules, '@cord', name))];
  const found = places.find((place) => existsSync(path.join(place, 'dist')));
  if (!found) throw new Refused(`${folder} has no built @cord/${name} beside it or installed`);
  return found;
}

/** Files of kit or contracts that are no part of their build: those that package.json names one by one among its exports. */
async function unbuiltOf(name: string, folder: string): Promise<Sources> {
  const own = packageOf(name, folder);
  const { exports = {} } = JSON.parse(await readFile(path.join(own, 'package.json'), 'utf8'));
  const exported = Object.values<unknown>(exports).filter((one): one is string => typeof one === 'string');
  return Object.fromEntries(
    exported.map((file) => [path.posix.join('node_modules/@cord', name, file), path.join(own, file)]),
  );
}

const isWorkspace = (folder: string) => existsSync(path.join(folder, '../kit/package.json'));

/** Packages that a workspace has in versions of its own. */
async function ownVersions(folder: string): Promise<Sources> {
  const names = await readdir(path.join(folder, 'node_modules')).catch(() => []);
  const trees = names
    .filter((name) => !name.startsWith('.') && name !== '@cord')
    .map((name) => tree(path.join(folder, 'node_modules'), name, 'node_modules/'));
  return Object.assign({}, ...(await Promise.all(trees)));
}

/** Files below a folder of `root`, by the path that they get. */
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
