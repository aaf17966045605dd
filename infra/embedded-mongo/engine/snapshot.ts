import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ERROR_CODES, MongoError } from '../errors.js';
import { lockFolder } from './lock.js';

const SNAPSHOT = 'snapshot-';
/** A copy that nobody writes to or reads for so long is left of a caller who was killed, ms. */
const LEFT_MS = 10 * 60_000;

/**
 * Copies what the last commit left, all of it of one instant, while writes go on. The caller removes the folder; one
 * that is left goes at the next start, or with a later snapshot.
 * @returns a folder beside the data that a server can be started on
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
    throw new MongoError(ERROR_CODES.OutOfDiskSpace, `no snapshot of ${path} could be made: ${message}`);
  }
}

/** Each is as large as the data: exports that are broken off every night would fill the disk until a start. */
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

/** Snapshots whose caller was killed. */
export function forgetSnapshots(folder: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(SNAPSHOT)) rmSync(join(folder, name), { recursive: true, force: true });
}
