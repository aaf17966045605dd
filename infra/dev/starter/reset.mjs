import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDataFolder } from './data-folder.mjs';

/** Everything that is data; logs, the lock and run.json are not. */
const DATA = ['store', 'mongod', 'nats', 'secrets', 'solana', 'modules', 'releases', 'clock.json', 'discord.json'];

/** Takes the data of a stopped system away, for good. @returns {Promise<string[]>} what was there */
export async function resetData(dataDir) {
  const lock = await lockDataFolder(dataDir);
  try {
    const names = await readdir(dataDir).catch(() => []);
    const entries = DATA.filter((name) => names.includes(name));
    for (const entry of [...entries, 'logs', 'run.json', 'upstreams.json'])
      await rm(join(dataDir, entry), { recursive: true, force: true });
    return entries;
  } finally {
    await lock.release();
  }
}
