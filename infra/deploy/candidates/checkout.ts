import path from 'node:path';
import { builtModules, builtShell, distOf } from '@cord/build/built.ts';
import { buildWeb } from '@cord/build/web-build.ts';
import { ROOT } from '@cord/build/workspaces.ts';
import { sourceProblems } from '../checks/sources.js';
import type { Candidate } from './candidate.js';

/**
 * The shell or a module of this checkout.
 * @param name its published name
 * @param dir such as mfe-tasks
 */
export function checkoutPackage(name: string, dir: string): Candidate {
  return {
    name,
    async prepare() {
      const [problems] = await Promise.all([sourceProblems(path.join(ROOT, dir)), buildWeb({ only: [dir] })]);
      const built = [builtShell(), ...builtModules()].find((one) => one?.folder === distOf(dir));
      if (!built) throw new Error(`${dir} was not built`);
      return { built, problems };
    },
    dispose: async () => undefined,
  };
}
