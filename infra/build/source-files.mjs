// @ts-check
import { globSync } from 'tinyglobby';
import { ROOT } from './workspaces.mjs';

/** What is installed, built or kept while something runs. Names that begin with a dot (`.cache`, `.data`, `.git`) match no pattern that does not name them. */
const LEFT_OUT = ['**/node_modules', '**/dist', '**/storybook-static', '**/.cache'];

/**
 * The files of the checkout that patterns name: `services/**\/*.ts`, and `!**\/*.test.ts` for what is left out. The one walk over sources, so
 * that none of them reads what a test or a running system writes beside them.
 * @param {string | readonly string[]} patterns relative to `cwd`
 * @param {string} [cwd]
 * @returns {string[]} paths from `cwd` with `/`, sorted; empty when there is no such folder
 */
export function sourceFiles(patterns, cwd = ROOT) {
  return globSync(patterns, { cwd, ignore: LEFT_OUT, followSymbolicLinks: false }).sort();
}
