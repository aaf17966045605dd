import { factsOfModule } from './module-facts.mjs';
import { rangesOf } from './shared.mjs';

/** The build id of whatever `rspack serve` serves. */
export const SERVED_BUILD = 'dev';

/** Under which path `rspack serve` serves a bundle. @param {string | null} module null for the shell */
export function servedPath(module) {
  return module === null ? '/' : `/modules/${module}/${SERVED_BUILD}/`;
}

/**
 * The entry in the registry of a module that `rspack serve` serves.
 * @param {string} name
 * @param {string} dir the module's folder
 */
export function servedEntry(name, dir) {
  return {
    version: SERVED_BUILD,
    entry: `${servedPath(name)}mf-manifest.json`,
    sdk: rangesOf(dir).sdk,
    ...factsOfModule(dir),
  };
}
