import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ERROR_CODES, MongoError } from '../errors.js';
import { lockFolder } from './lock.js';

const SNAPSHOT = 'snapshot-';
/** A copy that is not written or read for this long is left from a killed caller, ms. */
const LEFT_MS = 10 * 60_000;

/**
 * Copies the state of the last commit while writes continue. The caller removes the folder; one
 * that is left is removed at the next start or by a later snapshot.
 * @returns a folder beside the data on which a server can be started
 */
export async function takeSnapshot(
  db: { backup(path: string, compact: boolean): Promise<void> },
  path: string,
): Promise<string> {
  await forgetLeft(dirname(path), basename(path)).catch(() => undefined);
  const folder = mkdtempSync(join(dirname(path), SNAPSHOT));
  try {
    await db.backup(join(folder, basename(path)), true);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const { message } = error as Error;
    throw new MongoError(ERROR_CODES.OutOfDiskSpace, `a snapshot of ${path} could not be made: ${message}`);
  }
}

/** Removes abandoned copies. Each is as large as the data, so interrupted exports would fill the disk until a start. */
async function forgetLeft(parent: string, file: string): Promise<void> {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(SNAPSHOT))) {
    const folder = join(parent, name);
    const { mtimeMs } = await stat(join(folder, file)).catch(() => stat(folder));
    if (Date.now() - mtimeMs < LEFT_MS) continue;
    const unlock = await lockFolder(folder).catch(() => null);
    if (unlock === null) continue;
    await rm(folder, { recursive: true, force: true });
    await unlock();
  }
}

/** Removes snapshots whose caller was killed. */
export function forgetSnapshots(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(SNAPSHOT)) rmSync(join(folder, name), { recursive: true, force: true });
}
