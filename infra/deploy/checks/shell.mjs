import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { inCaretRange } from '@cord/build/caret-range.mjs';
import { assetsOf } from '../store/manifest.mjs';

/**
 * What speaks against putting a shell into use.
 * @param {import('@cord/build/built.mjs').BuiltModule} built
 * @param {Record<string, import('../store/registry.mjs').Entry>} modules those in use, which have to work with it; canaries, too
 * @param {{force?: boolean}} [options] `force`: modules that want another one may be in use; their areas say so until they follow
 * @returns {Promise<string[]>}
 */
export async function shellProblems({ folder, ...carried }, modules, { force = false } = {}) {
  const ranges = force ? [] : rangeProblems(carried, modules);
  const html = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => null);
  if (html === null) return [...ranges, 'page: the build has no index.html'];
  const lacking = assetsOf(html).filter((file) => !existsSync(path.join(folder, file)));
  return [...ranges, ...lacking.map((file) => `page: it names ${file}, which is not there`)];
}

/** Whether a module works with what a shell carries. */
export function fits(entry, carried) {
  return unfit(entry, carried).length === 0;
}

function rangeProblems(carried, modules) {
  const entries = Object.entries(modules).flatMap(([name, { canary, ...entry }]) => [
    { name, entry },
    ...(canary ? [{ name: `the canary of ${name}`, entry: canary }] : []),
  ]);
  return entries.flatMap(({ name, entry }) =>
    unfit(entry, carried).map(
      (what) => `range: ${name} needs ${what} ${entry[what]}, this shell has ${carried[what]} (--force)`,
    ),
  );
}

function unfit(entry, carried) {
  return ['sdk', 'ui'].filter((what) => entry[what] !== undefined && !inCaretRange(carried[what], entry[what]));
}
