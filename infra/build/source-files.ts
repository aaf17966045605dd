import { globSync } from 'tinyglobby';
import { ROOT } from './workspaces.ts';

/** What is installed, built or kept while something runs. Names that begin with a dot (`.cache`, `.data`, `.git`) match no pattern that does not name them. */
const LEFT_OUT = ['**/node_modules', '**/dist', '**/storybook-static', '**/.cache'];

/**
 * The files of the checkout that patterns name: `services/**\/*.ts`, and `!**\/*.test.ts` for what is left out. The one walk over sources, so
 * that none of them reads what a test or a running system writes beside them.
 * @param patterns relative to `cwd`
 * @returns paths from `cwd` with `/`, sorted; empty when there is no such folder
 */
export function sourceFiles(patterns: string | readonly string[], cwd = ROOT): string[] {
  return globSync(patterns, { cwd, ignore: LEFT_OUT, followSymbolicLinks: false }).sort();
}
