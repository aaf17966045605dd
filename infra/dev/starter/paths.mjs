// @ts-check
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Folder of published modules: MODULE_STORE, else in the data. @param {NodeJS.ProcessEnv} env @param {string} dataDir */
export function moduleStoreOf(env, dataDir) {
  return env.MODULE_STORE ? resolve(env.MODULE_STORE) : join(dataDir, 'modules');
}
