import { factsOfModule, type ModuleFacts } from './module-facts.ts';
import { rangesOf } from './shared.ts';

/** The build id of whatever `rspack serve` serves. */
export const SERVED_BUILD = 'dev';

/** Under which path `rspack serve` serves a bundle. @param module null for the shell */
export function servedPath(module: string | null): string {
  return module === null ? '/' : `/modules/${module}/${SERVED_BUILD}/`;
}

/** The entry of a module in the registry. */
export interface ServedEntry extends ModuleFacts {
  version: string;
  entry: string;
  sdk: string;
}

/**
 * The entry in the registry of a module that `rspack serve` serves.
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
