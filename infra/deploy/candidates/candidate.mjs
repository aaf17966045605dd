import { existsSync } from 'node:fs';
import path from 'node:path';
import { folderOfModule, moduleFolders } from '@cord/build/built.mjs';
import { moduleName } from '@cord/build/module-name.mjs';
import { ROOT } from '@cord/build/workspaces.mjs';
import { Refused } from '../store/refused.mjs';
import { SHELL } from '../store/release-line.mjs';
import { checkoutPackage } from './checkout.mjs';
import { folderModule } from './outside.mjs';

/**
 * What is to be published.
 * @typedef {object} Candidate
 * @property {string} name as published
 * @property {() => Promise<{built: import('@cord/build/built.mjs').BuiltModule, problems: string[]}>} prepare builds it, where it is not yet; what its sources speak against it
 * @property {() => Promise<void>} dispose takes away what was only needed for this
 *
 * @param {string} given `shell`, a module of this checkout by name or folder, or a folder outside of it
 * @returns {Promise<Candidate>}
 * @throws Refused where there is no such module
 */
export async function findCandidate(given) {
  if (given === SHELL) return checkoutPackage(SHELL, 'shell');
  const folder = path.resolve(given);
  const inside = moduleFolders().find((dir) => path.join(ROOT, dir) === folder);
  const dir = inside ?? (/[\\/]/.test(given) ? null : folderOfModule(given));
  if (dir) return checkoutPackage(moduleName(dir), dir);
  if (existsSync(path.join(folder, 'package.json'))) return folderModule(folder);
  throw new Refused(`there is no module ${given}: neither in this checkout nor a folder with a package.json`);
}
