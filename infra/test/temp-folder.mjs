// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { StartError } from '../dev/starter/problems.mjs';

/**
 * Gives this process and its later children a temporary folder that is removed with it: at its end, after a failure,
 * and after Ctrl-C when that calls `process.exit`. Killed browsers, stores and servers leave their files. Its name is
 * short, since a socket path has at most 107 letters.
 * @returns {string} the folder
 * @throws {StartError} naming the folder in which it cannot be made
 */
export function ownTempFolder() {
  const folder = folderIn(resolve(tmpdir()));
  process.env.TMPDIR = folder;
  // Processes killed just now may still write.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}

/** @param {string} parent */
function folderIn(parent) {
  try {
    return mkdtempSync(join(parent, 'cord-'));
  } catch (error) {
    throw new StartError(
      `no temporary folder can be created: ${/** @type {Error} */ (error).message}. Set TMPDIR to another folder.`,
    );
  }
}
