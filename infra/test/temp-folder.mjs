// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StartError } from '../dev/starter/problems.mjs';

/**
 * Gives this process, and all that it starts from now on, a folder for temporary files that goes with it: at its end, after a
 * failure, and after Ctrl-C where that ends by `process.exit`. Browsers, stores and servers that are killed clean up nothing.
 * Its name is short, for a socket's path has 107 letters at the most.
 * @returns {string} the folder
 * @throws {StartError} naming the folder in which none can be made
 */
export function ownTempFolder() {
  const folder = folderIn(resolve(tmpdir()));
  process.env.TMPDIR = folder;
  // What was killed this very moment may still write.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}

/** @param {string} parent */
function folderIn(parent) {
  try {
    return mkdtempSync(join(parent, 'cord-'));
  } catch (error) {
    throw new StartError(
      `no temporary folder can be made: ${/** @type {Error} */ (error).message}. TMPDIR names where.`,
    );
  }
}
