import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transpilePackages } from './transpile.ts';
import { ROOT } from './workspaces.ts';

const PACKAGE = path.join(ROOT, 'services/contracts');
/** Folder of the recorded releases. */
export const HISTORY = path.join(PACKAGE, 'history');

/** Imports the code that reads and makes release records (services/contracts/record), transpiled if changed. */
export async function contractRecord(): Promise<typeof import('../../services/contracts/record/index.ts')> {
  await transpilePackages({ packages: ['services/contracts'] });
  return import(pathToFileURL(path.join(PACKAGE, 'dist/record/index.js')).href);
}
