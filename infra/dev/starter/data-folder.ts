import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeOnce } from '../../../services/kit/whole-file.ts';
import { readJson } from './files.ts';
import { isRunning, processStart } from './pids.ts';
import { StartError } from './problems.mjs';

/**
 * Takes the data folder for this process alone, until release().
 * @throws {StartError} naming the folder and the process that has it
 */
export async function lockDataFolder(dataDir: string): Promise<{ release: () => Promise<void> }> {
  await makeFolder(dataDir);
  const file = join(dataDir, 'lock');
  const holder = await readJson<{ pid: number; startedAt: string | null }>(file);
  if (holder && isRunning(holder)) {
    throw new StartError(
      `the data folder ${dataDir} is in use by another CORD (process ${holder.pid}). Stop it first, or choose another folder with --data.`,
    );
  }
  await rm(file, { force: true });
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid) });
  await writeFile(file, mine, { flag: 'wx', mode: 0o600 }).catch(() => {
    throw new StartError(`the data folder ${dataDir} was taken by another CORD at the same moment.`);
  });
  return {
    release: async () => {
      if ((await readFile(file, 'utf8').catch(() => '')) === mine) await rm(file, { force: true });
    },
  };
}

/**
 * Makes a folder and those above it, one by one: Node's recursive mkdir never returns where a parent exists but takes no
 * children (/proc).
 * @throws {StartError} naming the folder that cannot be made
 */
export async function makeFolder(folder: string) {
  const path = resolve(folder);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error) => {
    if (error.code === 'EEXIST' && !found) return;
    throw new StartError(`the folder ${path} cannot be made (${error.code}). Choose another with --data.`);
  });
}

/**
 * A secret of this installation: 32 random bytes as 64 hex characters, made once, readable by the owner only.
 * @param name of the file in <data>/secrets
 * @throws {StartError} for a file without one: another in its place would not open what the first has locked
 */
export async function secret(dataDir: string, name: string) {
  const folder = join(dataDir, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  const kept = async () => (await readFile(file, 'utf8')).trim();
  const found = await kept().catch(() => undefined);
  if (found === undefined) await writeOnce(file, randomBytes(32).toString('hex'));
  const value = found ?? (await kept());
  if (value === '') throw new StartError(`the secret ${file} is empty. Bring it back from a backup of the folder.`);
  return value;
}
