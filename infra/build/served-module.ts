import { factsOfModule, type ModuleFacts } from './module-facts.ts';
import { rangesOf } from './shared.ts';

/** The build id of everything from `rspack serve`. */
export const SERVED_BUILD = 'dev';

/** Returns the path under which `rspack serve` serves a bundle. @param module null for the shell */
export function servedPath(module: string | null): string {
  return module === null ? '/' : `/modules/${module}/${SERVED_BUILD}/`;
}

/** The registry entry of a module. */
export interface ServedEntry extends ModuleFacts {
  version: string;
  entry: string;
  sdk: string;
}

/**
 * Returns the registry entry of a module served by `rspack serve`.
 * @param dir the module's folder
 */
export function servedEntry(name: string, dir: string): ServedEntry {
  return {
    version: SERVED_BUILD,
    entry: `${servedPath(name)}mf-manifest.json`,
    sdk: rangesOf(dir).sdk,
    ...factsOfModule(dir),
  };
}
