import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transpilePackages } from './transpile.ts';
import { ROOT } from './workspaces.ts';

const PACKAGE = path.join(ROOT, 'services/contracts');
/** Where the releases of the past lie recorded. */
export const HISTORY = path.join(PACKAGE, 'history');

/** What reads and makes records of releases (services/contracts/record), transpiled where it changed. */
export async function contractRecord(): Promise<typeof import('../../services/contracts/record/index.ts')> {
  await transpilePackages({ packages: ['services/contracts'] });
  return import(pathToFileURL(path.join(PACKAGE, 'dist/record/index.js')).href);
}
