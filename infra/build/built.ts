import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { moduleName } from './module-name.ts';
import { ROOT, readWorkspaces, type Workspace } from './workspaces.ts';

/** The facts of a build, in its own folder; not for the page. */
export const STAMP = '.build.json';

/** What a build is: of the shell `sdk` and `ui` are the versions that it has, of a module the ranges that it works with. */
export interface Stamp {
  version: string;
  sdk: string;
  ui: string;
}

/** The shell or a module as it lies built. */
export interface BuiltModule extends Stamp {
  name: string;
  folder: string;
}

/** The shell and the modules: what has an rspack.config.ts. */
export function webPackages(workspaces = readWorkspaces()): Workspace[] {
  return [...workspaces.values()].filter(({ dir }) => existsSync(path.join(ROOT, dir, 'rspack.config.ts')));
}

/** The folders of the modules of this checkout, and of nothing else: the one list of them. */
export function moduleFolders(workspaces = readWorkspaces()): string[] {
  return webPackages(workspaces)
    .map(({ dir }) => dir)
    .filter((dir) => dir !== 'shell');
}

/** The folder of a module of this checkout, by any of its names (module-name.ts). @returns null where there is none */
export function folderOfModule(text: string, workspaces = readWorkspaces()): string | null {
  const name = moduleName(text);
  return moduleFolders(workspaces).find((dir) => name !== null && moduleName(dir) === name) ?? null;
}

/** Where the build of a package lies. @param dir relative to the root */
export function distOf(dir: string): string {
  return path.join(ROOT, dir, 'dist');
}

/** @returns null where nothing, or only half of it, is built */
export function readStamp(dir: string): Stamp | null {
  const file = path.join(distOf(dir), STAMP);
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  } catch {
    // A build was ended while it wrote its stamp.
    return null;
  }
}

/** The shell as it lies built: which sdk and which design system it carries. @returns null where it is not built */
export function builtShell(): BuiltModule | null {
  const stamp = readStamp('shell');
  return stamp && { name: 'shell', folder: distOf('shell'), ...stamp };
}

/** The modules as they lie built. */
export function builtModules(): BuiltModule[] {
  return moduleFolders().flatMap((dir) => {
    const [name, stamp] = [moduleName(dir), readStamp(dir)];
    return name && stamp ? [{ name, folder: distOf(dir), ...stamp }] : [];
  });
}
