import path from 'node:path';
import { builtModules, builtShell, distOf } from '@cord/build/built.mjs';
import { buildWeb } from '@cord/build/web-build.mjs';
import { ROOT } from '@cord/build/workspaces.mjs';
import { sourceProblems } from '../checks/sources.mjs';

/**
 * The shell or a module of this checkout.
 * @param {string} name as published
 * @param {string} dir such as mfe-tasks
 * @returns {import('./candidate.mjs').Candidate}
 */
export function checkoutPackage(name, dir) {
  return {
    name,
    async prepare() {
      const [problems] = await Promise.all([sourceProblems(path.join(ROOT, dir)), buildWeb({ only: [dir] })]);
      const built = [builtShell(), ...builtModules()].find((one) => one?.folder === distOf(dir));
      return { built, problems };
    },
    dispose: async () => undefined,
  };
}
