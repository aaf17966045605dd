import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCaretRange } from '@cord/build/caret-range.ts';
import { assetsOf } from '../store/manifest.js';
import type { Entry, Release } from '../store/registry.js';
import type { Built } from '../store/releases.js';

/** Versions of sdk and design system in a shell. */
type Carried = Readonly<Record<'sdk' | 'ui', string>>;
/** The ranges of a module. */
type Ranges = Pick<Release, 'sdk' | 'ui'>;

/**
 * Returns the reasons to refuse a shell.
 * @param modules live ones, which must work with it; canaries too
 * @param options `force`: accepts modules that need another shell; their areas show a notice until they follow
 */
export async function shellProblems(
  { folder, ...carried }: Built,
  modules: Record<string, Entry>,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<string[]> {
  const ranges = force ? [] : rangeProblems(carried, modules);
  const html = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => null);
  if (html === null) return [...ranges, 'page: the build has no index.html'];
  const lacking = assetsOf(html).filter((file) => !existsSync(path.join(folder, file)));
  return [...ranges, ...lacking.map((file) => `page: it names ${file}, which does not exist`)];
}

/** Whether a module works with the versions in a shell. */
export function fits(entry: Ranges, carried: Carried): boolean {
  return unfit(entry, carried).length === 0;
}

function rangeProblems(carried: Carried, modules: Record<string, Entry>): string[] {
  const entries = Object.entries(modules).flatMap(([name, { canary, ...entry }]): { name: string; entry: Ranges }[] => [
    { name, entry },
    ...(canary ? [{ name: `the canary of ${name}`, entry: canary }] : []),
  ]);
  return entries.flatMap(({ name, entry }) =>
    unfit(entry, carried).map(
      (what) => `range: ${name} needs ${what} ${entry[what]}, this shell has ${carried[what]} (--force)`,
    ),
  );
}

function unfit(entry: Ranges, carried: Carried): ('sdk' | 'ui')[] {
  return (['sdk', 'ui'] as const).filter((what) => {
    const range = entry[what];
    return range !== undefined && !inCaretRange(carried[what], range);
  });
}
