import { globSync } from 'tinyglobby';
import { ROOT } from './workspaces.ts';

/** Installed, built or runtime files. Patterns match names with a leading dot (`.cache`, `.data`, `.git`) only if they contain it. */
const LEFT_OUT = ['**/node_modules', '**/dist', '**/storybook-static', '**/.cache'];

/**
 * Returns the files of the checkout that match patterns: `services/**\/*.ts`, with `!**\/*.test.ts` to exclude. All
 * code that scans sources uses it, so that no scan reads files of tests or running systems.
 * @param patterns relative to `cwd`
 * @returns paths from `cwd` with `/`, sorted; empty when there is no such folder
 */
export function sourceFiles(patterns: string | readonly string[], cwd = ROOT): string[] {
  return globSync(patterns, { cwd, ignore: LEFT_OUT, followSymbolicLinks: false }).sort();
}
