import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lockDataFolder } from './data-folder.mjs';
import { StartError } from './problems.mjs';

const run = promisify(execFile);

/** Everything that is data; logs, the lock and run.json are not. */
const DATA = ['store', 'mongod', 'nats', 'secrets', 'solana', 'modules', 'releases', 'clock.json', 'discord.json'];
const LABEL = 'cord-data.json';
const VERSION = 1;

/**
 * Packs a stopped system's data into one file for its owner alone: it holds the secrets too, without which neither
 * signing keys nor tombstones could be read again.
 * @returns {Promise<string[]>} what was packed
 * @throws {StartError} while the system runs, or when there is nothing
 */
export function exportData(dataDir, file) {
  return locked(dataDir, async () => {
    const entries = await dataIn(dataDir);
    if (entries.length === 0) throw new StartError(`there is no data in ${dataDir}.`);
    await writeFile(join(dataDir, LABEL), JSON.stringify({ version: VERSION, at: new Date().toISOString(), entries }));
    try {
      await writeFile(file, '', { mode: 0o600 });
      // The link to the checkout's dependencies is this machine's own.
      await tar('-czf', file, '--exclude=releases/node_modules', '-C', dataDir, LABEL, ...entries);
    } finally {
      await rm(join(dataDir, LABEL), { force: true });
    }
    return entries;
  });
}

/**
 * Unpacks into an empty data folder.
 * @returns {Promise<string[]>} what was unpacked
 * @throws {StartError} while the system runs, over existing data, or for a file that is no export
 */
export function importData(dataDir, file) {
  return locked(dataDir, async () => {
    const present = await dataIn(dataDir);
    if (present.length > 0) {
      throw new StartError(
        `${dataDir} holds data (${present.join(', ')}). Take it away with "npm run data -- reset" first.`,
      );
    }
    const draft = await mkdtemp(join(dataDir, 'import-'));
    try {
      await requireExport(file);
      await tar('-xzf', file, '-C', draft, '--no-same-owner');
      const label = JSON.parse(await readFile(join(draft, LABEL), 'utf8'));
      if (label.version !== VERSION)
        throw new StartError(`${file} has version ${label.version}, this reads ${VERSION}.`);
      const entries = await dataIn(draft);
      for (const entry of entries) await rename(join(draft, entry), join(dataDir, entry));
      return entries;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
}

/** Takes the data of a stopped system away, for good. @returns {Promise<string[]>} what was there */
export function resetData(dataDir) {
  return locked(dataDir, async () => {
    const entries = await dataIn(dataDir);
    for (const entry of [...entries, 'logs', 'run.json', 'upstreams.json'])
      await rm(join(dataDir, entry), { recursive: true, force: true });
    return entries;
  });
}

async function locked(dataDir, work) {
  const lock = await lockDataFolder(dataDir);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function dataIn(folder) {
  const names = await readdir(folder).catch(() => []);
  return DATA.filter((name) => names.includes(name));
}

/** Only what an export holds may be unpacked: no other name and no way out of the folder. */
async function requireExport(file) {
  const { stdout } = await tar('-tzf', file);
  const names = stdout.split('\n').filter(Boolean);
  const allowed = new Set([LABEL, ...DATA]);
  const foreign = names.find((name) => !allowed.has(name.split('/')[0]) || name.split('/').includes('..'));
  if (foreign !== undefined || !names.includes(LABEL)) throw new StartError(`${file} is no export of CORD.`);
}

async function tar(...args) {
  try {
    return await run('tar', args, { maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    throw new StartError(`tar failed: ${error.stderr?.trim() || error.message}`);
  }
}
