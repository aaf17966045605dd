import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../dev/starter/problems.mjs';
import { natsConfig } from './nats.js';
import { variablesPage } from './variables.js';

const FOLDER = join(import.meta.dirname, '..');
const HEAD =
  '# Made by `npx cord manifests` from services/contracts/manifests: change these, or infra/production/made.\n';

/** Returns all generated files, by path below infra/production. */
export async function madeFiles(): Promise<Map<string, string>> {
  return new Map([
    ['kubernetes/base/nats/nats.conf', HEAD + (await natsConfig())],
    ['../dev/ENVIRONMENT.md', variablesPage()],
  ]);
}

/**
 * Compares the generated files with the services' manifests.
 * @param write whether to write differing files
 * @returns the result as text for the screen
 * @throws StartError naming differing files that are not written
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
    throw new StartError(`these files differ from the manifests: ${differing.join(', ')}. Run npx cord manifests.`);
  return differing.length === 0 ? 'all files match the manifests' : `written: ${differing.join(', ')}`;
}
