import { existsSync } from 'node:fs';
import path from 'node:path';
import { folderOfModule, moduleFolders } from '@cord/build/built.ts';
import { moduleName } from '@cord/build/module-name.ts';
import { ROOT } from '@cord/build/workspaces.ts';
import { Refused } from '../store/refused.js';
import { SHELL } from '../store/release-line.js';
import type { Built } from '../store/releases.js';
import { checkoutPackage } from './checkout.js';
import { folderModule } from './outside.js';

/** A shell or module to publish. */
export interface Candidate {
  /** Its published name. */
  name: string;
  /** Builds it unless it is built; also returns the reasons in its sources to refuse it. */
  prepare(): Promise<{ built: Built; problems: string[] }>;
  /** Removes temporary files. */
  dispose(): Promise<void>;
}

/**
 * @param given `shell`, a module of this checkout by name or folder, or a folder outside of it
 * @throws Refused when there is no such module
 */
export async function findCandidate(given: string): Promise<Candidate> {
  if (given === SHELL) return checkoutPackage(SHELL, 'shell');
  const folder = path.resolve(given);
  const inside = moduleFolders().find((dir) => path.join(ROOT, dir) === folder);
  const dir = inside ?? (/[\\/]/.test(given) ? null : folderOfModule(given));
  if (dir) return checkoutPackage(moduleName(dir) ?? dir, dir);
  if (existsSync(path.join(folder, 'package.json'))) return folderModule(folder);
  throw new Refused(`no module ${given}: not in this checkout, and no folder with a package.json`);
}
