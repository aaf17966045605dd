import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../../dev/starter/problems.mjs';
import { madeFiles } from './files.mjs';

const FOLDER = join(import.meta.dirname, '..');

/**
 * Compares the files here that are made from the manifests of the services.
 * @param {boolean} write whether those that differ are written
 * @throws {StartError} naming those that differ, where they are not written
 */
export async function writeManifests(write) {
  const differing = [];
  for (const [path, text] of await madeFiles()) {
    const file = join(FOLDER, path);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    differing.push(path);
    if (!write) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  if (!write && differing.length > 0)
    throw new StartError(`not as the manifests say: ${differing.join(', ')}. Run npx cord manifests.`);
  console.log(differing.length === 0 ? 'as the manifests say' : `written: ${differing.join(', ')}`);
}
