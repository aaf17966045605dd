import { lockDataFolder, removeData } from './data-folder.ts';
import { endLeftovers } from './run-file.ts';

/**
 * Removes the data of a stopped system. First ends processes that a killed start left running.
 * @returns the names of what was removed
 */
export async function resetData(dataDir: string): Promise<string[]> {
  const lock = await lockDataFolder(dataDir);
  try {
    await endLeftovers(dataDir);
    return await removeData(dataDir);
  } finally {
    await lock.release();
  }
}
