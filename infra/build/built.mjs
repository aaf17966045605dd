import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { moduleName } from './module-name.mjs';
import { ROOT, readWorkspaces } from './workspaces.mjs';

/** The facts of a build, in its own folder; not for the page. */
export const STAMP = '.build.json';

/** The shell and the modules: what has an rspack.config.mjs. */
export function webPackages(workspaces = readWorkspaces()) {
  return [...workspaces.values()].filter(({ dir }) => existsSync(path.join(ROOT, dir, 'rspack.config.mjs')));
}

/** The folders of the modules of this checkout, and of nothing else: the one list of them. */
export function moduleFolders(workspaces = readWorkspaces()) {
  return webPackages(workspaces)
    .map(({ dir }) => dir)
    .filter((dir) => dir !== 'shell');
}

/** The folder of a module of this checkout, by any of its names (module-name.mjs). @returns {string | null} null where there is none */
export function folderOfModule(text, workspaces = readWorkspaces()) {
  const name = moduleName(text);
  return moduleFolders(workspaces).find((dir) => name !== null && moduleName(dir) === name) ?? null;
}

/** Where the build of a package lies. @param {string} dir relative to the root */
export function distOf(dir) {
  return path.join(ROOT, dir, 'dist');
}

/** @returns {{version: string, sdk: string, ui: string} | null} null where nothing, or only half of it, is built */
export function readStamp(dir) {
  const file = path.join(distOf(dir), STAMP);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** The shell as it lies built: which sdk and which design system it carries. @returns {BuiltModule | null} */
export function builtShell() {
  const stamp = readStamp('shell');
  return stamp && { name: 'shell', folder: distOf('shell'), ...stamp };
}

/**
 * The modules as they lie built.
 * @typedef {{name: string, version: string, sdk: string, ui: string, folder: string}} BuiltModule
 * @returns {BuiltModule[]}
 */
export function builtModules() {
  return moduleFolders().flatMap((dir) => {
    const stamp = readStamp(dir);
    return stamp ? [{ name: moduleName(dir), folder: distOf(dir), ...stamp }] : [];
  });
}
