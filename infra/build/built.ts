import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { moduleName } from './module-name.ts';
import { ROOT, readWorkspaces, type Workspace } from './workspaces.ts';

/** Facts of a build, in its folder; not for the page. */
export const STAMP = '.build.json';

/** Facts of a build: `sdk` and `ui` are the shell's own versions, or the ranges that a module works with. */
export interface Stamp {
  version: string;
  sdk: string;
  ui: string;
}

/** The shell or a module as built. */
export interface BuiltModule extends Stamp {
  name: string;
  folder: string;
}

/** Returns the shell and the modules: packages with an rspack.config.ts. */
export function webPackages(workspaces = readWorkspaces()): Workspace[] {
  return [...workspaces.values()].filter(({ dir }) => existsSync(path.join(ROOT, dir, 'rspack.config.ts')));
}

/** Returns the folders of this checkout's modules; the only list of them. */
export function moduleFolders(workspaces = readWorkspaces()): string[] {
  return webPackages(workspaces)
    .map(({ dir }) => dir)
    .filter((dir) => dir !== 'shell');
}

/** Returns the folder of a module by any of its names (module-name.ts). @returns null if there is none */
export function folderOfModule(text: string, workspaces = readWorkspaces()): string | null {
  const name = moduleName(text);
  return moduleFolders(workspaces).find((dir) => name !== null && moduleName(dir) === name) ?? null;
}

/** Returns the build folder of a package. @param dir relative to the root */
export function distOf(dir: string): string {
  return path.join(ROOT, dir, 'dist');
}

/** @returns null when there is no complete build */
export function readStamp(dir: string): Stamp | null {
  const file = path.join(distOf(dir), STAMP);
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  } catch {
    // A build ended while it wrote its stamp.
    return null;
  }
}

/** Returns the built shell with its sdk and design system versions. @returns null when it is not built */
export function builtShell(): BuiltModule | null {
  const stamp = readStamp('shell');
  return stamp && { name: 'shell', folder: distOf('shell'), ...stamp };
}

/** Returns the built modules. */
export function builtModules(): BuiltModule[] {
  return moduleFolders().flatMap((dir) => {
    const [name, stamp] = [moduleName(dir), readStamp(dir)];
    return name && stamp ? [{ name, folder: distOf(dir), ...stamp }] : [];
  });
}
