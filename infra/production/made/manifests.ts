import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../dev/starter/problems.mjs';
import { natsConfig } from './nats.js';
import { variablesPage } from './variables.js';

const FOLDER = join(import.meta.dirname, '..');
const HEAD =
  '# Made by `npx cord manifests` from services/contracts/manifests: change these, or infra/production/made.\n';

/** Every file that is made, by its path below infra/production. */
export async function madeFiles(): Promise<Map<string, string>> {
  return new Map([
    ['kubernetes/base/nats/nats.conf', HEAD + (await natsConfig())],
    ['../dev/ENVIRONMENT.md', variablesPage()],
  ]);
}

/**
 * Compares the files here that are made from the manifests of the services.
 * @param write whether those that differ are written
 * @returns what was found or done, for the screen
 * @throws StartError naming those that differ, where they are not written
 */
export async function writeManifests(write: boolean): Promise<string> {
  const differing: string[] = [];
  for (const [path, text] of await madeFiles()) {
    const file = join(FOLDER, path);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    differing.push(path);
    if (write) await writeFile(file, text);
  }
  if (!write && differing.length > 0)
    throw new StartError(`not as the manifests are: ${differing.join(', ')}. Run npx cord manifests.`);
  return differing.length === 0 ? 'as the manifests are' : `written: ${differing.join(', ')}`;
}
