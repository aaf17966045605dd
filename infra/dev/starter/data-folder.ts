import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { jsonIn } from '../../../services/kit/json.ts';
import { writeOnce } from '../../../services/kit/whole-file.ts';
import { isRunning, processStart } from './pids.ts';
import { StartError } from './problems.mjs';

/** @throws {StartError} where a folder is there and this user may not look into it: what lies there is not nothing */
export function refuseClosed(folder: string): void {
  try {
    readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    throw new StartError(
      `user ${process.geteuid?.()} may not read ${folder}: run this as the user that it belongs to.`,
    );
  }
}

/**
 * Takes the data folder for this process alone, until release().
 * @throws {StartError} naming the folder and the process that has it
 */
export async function lockDataFolder(dataDir: string): Promise<{ release: () => Promise<void> }> {
  refuseClosed(dataDir);
  await makeFolder(dataDir);
  const file = join(dataDir, 'lock');
  const mine = JSON.stringify({ pid: process.pid, startedAt: processStart(process.pid), id: randomUUID() });
  const holder = await holderOf(file, mine);
  if (holder) {
    throw new StartError(
      `the data folder ${dataDir} is in use by another CORD (process ${holder.pid}). Stop it first, or choose another folder with --data.`,
    );
  }
  return { release: () => removeIf(file, mine) };
}

/**
 * Takes a lock that no running process has. What a process that is gone has left is removed by one at a time, who has a second lock for it:
 * another would remove what a third has made in its place.
 * @param mine what this process puts there, different each time
 * @returns who has the lock, where that is another
 */
async function holderOf(file: string, mine: string): Promise<{ pid: number } | undefined> {
  for (;;) {
    await writeOnce(file, mine);
    const found = await textOf(file);
    if (found === mine) return undefined;
    if (found === undefined) continue;
    const holder = jsonIn(found) as { pid: number; startedAt: string | null } | undefined;
    if (holder && isRunning(holder)) return holder;
    const stale = `${file}.stale`;
    const other = await holderOf(stale, mine);
    if (other) return other;
    await removeIf(file, found);
    await rm(stale);
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

async function removeIf(file: string, text: string) {
  if ((await textOf(file)) === text) await rm(file, { force: true });
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
