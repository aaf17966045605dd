import path from 'node:path';
import { builtModules, distOf } from '@cord/build/built.mjs';
import { moduleName } from '@cord/build/module-name.mjs';
import { buildWeb } from '@cord/build/web-build.mjs';
import { ROOT } from '@cord/build/workspaces.mjs';
import { sourceProblems } from '../checks/sources.mjs';

/** A module of this checkout. @param {string} dir such as mfe-tasks @returns {import('./candidate.mjs').Candidate} */
export function checkoutModule(dir) {
  return {
    name: moduleName(dir),
    async prepare() {
      const [problems] = await Promise.all([sourceProblems(path.join(ROOT, dir)), buildWeb({ only: [dir] })]);
      return { built: builtModules().find(({ folder }) => folder === distOf(dir)), problems };
    },
    dispose: async () => undefined,
  };
}
