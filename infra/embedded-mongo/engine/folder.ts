import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its parents, one by one: Node's recursive mkdir never returns if a parent exists but accepts no
 * children (/proc), and blames a missing file where the medium is read-only. Throws an Error that names the path.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  const found = lookAt(path);
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`the data folder ${path} cannot be created: a file of that name exists`);
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw new Error(`the data folder ${path} cannot be created: ${reasonOf(error)}`);
  }
}

/** The file status of a path; undefined if nothing exists. An unreadable parent folder is reported like an unusable one. */
function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new Error(`${path} is not readable and writable: ${reasonOf(error)}`);
  }
}

/** Throws an Error that names the path when this process may not read and write it. */
export function requireAccess(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new Error(`${path} is not readable and writable: ${reasonOf(error)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'the medium is read-only',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a parent is a file',
};

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}
