import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDataFolder } from './data-folder.ts';
import { endLeftovers } from './run-file.ts';

/** Names of everything that is data; logs, the lock and run.json are not. */
const DATA = ['store', 'mongod', 'nats', 'secrets', 'solana', 'modules', 'releases', 'clock.json', 'discord.json'];

/**
 * Deletes the data of a stopped system. First ends processes that a killed start left running. Everything is moved away
 * before anything is deleted: a start after an interruption finds no store without its streams or keys.
 * @returns the names of what was deleted
 */
export async function resetData(dataDir: string): Promise<string[]> {
  const lock = await lockDataFolder(dataDir);
  try {
    await endLeftovers(dataDir);
    const names: string[] = await readdir(dataDir).catch(() => []);
    const entries = DATA.filter((name) => names.includes(name));
    const removed = join(dataDir, 'removed');
    // The rest of an interrupted reset.
    await rm(removed, { recursive: true, force: true });
    await mkdir(removed, { mode: 0o700 });
    for (const entry of entries) await rename(join(dataDir, entry), join(removed, entry));
    for (const entry of ['removed', 'logs', 'run.json', 'upstreams.json'])
      await rm(join(dataDir, entry), { recursive: true, force: true });
    return entries;
  } finally {
    await lock.release();
  }
}
