import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { jsonIn } from '../../../services/kit/json.ts';
import { writeOnce } from '../../../services/kit/whole-file.ts';
import { isRunning, processStart } from './pids.ts';
import { StartError } from './problems.mjs';

/** Names of everything that is data; logs, the lock and run.json are not. */
const DATA = ['store', 'mongod', 'nats', 'secrets', 'solana', 'modules', 'releases', 'clock.json', 'discord.json'];
/** While this file exists, the data is being removed: what is left of it belongs to no system. */
const REMOVING = 'removing';

/** @throws {StartError} when the folder exists and this user may not read it: it must not count as empty */
export function refuseClosed(folder: string): void {
  try {
    readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    throw new StartError(`user ${process.geteuid?.()} may not read ${folder}: run this as its owner.`);
  }
}

/** Returns whether the folder has a document store. */
export function hasStore(dataDir: string): boolean {
  const exists = (name: string) => existsSync(join(dataDir, name));
  return !exists(REMOVING) && (exists('store') || exists('mongod'));
}

/**
 * Removes the data of a locked folder. After an interruption the next lock completes it: a start finds no store without
 * its streams or secrets.
 * @returns the names of what was removed
 */
export async function removeData(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir);
  const entries = DATA.filter((name) => names.includes(name));
  await writeOnce(join(dataDir, REMOVING), '');
  for (const entry of [...entries, 'logs', 'run.json', 'upstreams.json', REMOVING])
    await rm(join(dataDir, entry), { recursive: true, force: true });
  return entries;
}

/**
 * Locks the data folder for this process until release(). Completes the removal of data that was interrupted.
 * @throws {StartError} naming the folder and the process that holds it
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
  const release = () => removeIf(file, mine);
  try {
    if (existsSync(join(dataDir, REMOVING))) await removeData(dataDir);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

/**
 * Takes a lock that no running process holds. A second lock guards the removal of a stale one: otherwise a process
 * could remove the lock that another has just made.
 * @param mine the content that this process writes, unique for each call
 * @returns the holder of the lock, when it is another process
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
 * Makes a folder and its parents one by one: Node's recursive mkdir hangs where a parent exists but accepts no children
 * (/proc).
 * @throws {StartError} naming the folder that cannot be made
 */
export async function makeFolder(folder: string) {
  const path = resolve(folder);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch((error) => {
    if (error.code === 'EEXIST' && !found) return;
    throw new StartError(`the folder ${path} cannot be created (${error.code}). Choose another with --data.`);
  });
}

/**
 * Returns a secret of this installation: 32 random bytes as 64 hex characters, made once, readable by the owner only.
 * @param name of the file in <data>/secrets
 * @throws {StartError} when the file is empty: a new secret could not decrypt what the first one encrypted
 */
export async function secret(dataDir: string, name: string) {
  const folder = join(dataDir, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, name);
  const kept = async () => (await readFile(file, 'utf8')).trim();
  const found = await kept().catch(() => undefined);
  if (found === undefined) await writeOnce(file, randomBytes(32).toString('hex'));
  const value = found ?? (await kept());
  if (value === '') throw new StartError(`the secret ${file} is empty. Restore it from a backup of the folder.`);
  return value;
}
