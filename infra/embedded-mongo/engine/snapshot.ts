import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ERROR_CODES, MongoError } from '../errors.js';

const SNAPSHOT = 'snapshot-';

/**
 * Copies what the last commit left, all of it of one instant, while writes go on. The caller removes the folder; one
 * that is left goes at the next start.
 * @returns a folder beside the data that a server can be started on
 */
export async function takeSnapshot(
  db: { backup(path: string, compact: boolean): Promise<void> },
  path: string,
): Promise<string> {
  const folder = mkdtempSync(join(dirname(path), SNAPSHOT));
  try {
    await db.backup(join(folder, basename(path)), true);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const { message } = error as Error;
    throw new MongoError(ERROR_CODES.OutOfDiskSpace, `no snapshot of ${path} could be made: ${message}`);
  }
}

/** Snapshots whose caller was killed. */
export function forgetSnapshots(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(SNAPSHOT)) rmSync(join(folder, name), { recursive: true, force: true });
}
