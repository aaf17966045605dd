import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError, Option } from 'commander';
import type { Connection } from 'mongoose';
import { isLocalMode } from '../../services/kit/config.ts';
import { refuseClosed } from '../dev/starter/data-folder.ts';
import { ROOT } from '../dev/starter/paths.mjs';
import { StartError } from '../dev/starter/problems.mjs';
import { runningSystem } from '../dev/starter/run-file.ts';
import { storeOf } from '../dev/starter/store-of.ts';

/** Options of a command for a running or stopped system. */
export interface OfSystem {
  data?: string;
}

/** The option that selects the system of a command. */
export function dataOption(): Option {
  return new Option('--data <folder>', 'data folder of the system (CORD_DATA, else .data in the checkout)').argParser(
    // Empty when a shell variable is unset; it would resolve to the current folder.
    (text: string) => {
      if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
      return text;
    },
  );
}

/** Returns the data folder from the options or the environment. @throws {StartError} when it belongs to another user */
export function dataDirOf({ data }: OfSystem): string {
  const folder =
    data === undefined && !process.env.CORD_DATA ? join(ROOT, '.data') : resolve(data ?? process.env.CORD_DATA ?? '');
  refuseClosed(folder);
  return folder;
}

/**
 * Whether a system runs on a data folder.
 * @throws {StartError} when its mode differs from this environment's, since the command would then use other secrets
 */
export async function runsInMode(dataDir: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const system = await runningSystem(dataDir);
  if (system && system.mode !== (isLocalMode(env) ? 'local' : 'production'))
    throw new StartError(`the system runs in ${system.mode} mode: run this command with the same environment.`);
  return system !== undefined;
}

/**
 * Wraps an action: prints a refusal as one message and sets exit code 1; any other error is shown whole.
 * @param work the action; its result is ignored
 */
export function refusing<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  return async (...args: Args): Promise<void> => {
    try {
      await work(...args);
    } catch (error) {
      console.error(error instanceof StartError ? error.message : error);
      process.exitCode = 1;
    }
  };
}

/**
 * Opens the store of a data folder for `work`: that of the running system, else one started for it.
 * @throws {StartError} when there is no data
 */
export async function withStore<T>(
  dataDir: string,
  work: (store: { uri: string }) => Promise<T>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<T> {
  const store = await storeOf(dataDir, env).catch((error: Error) => {
    throw new StartError(error.message);
  });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/**
 * Imports a built module of a package, as its process runs it. tsx would add a call per function, which a bench would measure.
 * @param file from the root
 * @throws {StartError} when it is not built
 */
export function built<Module>(file: string): Promise<Module> {
  return import(pathToFileURL(join(ROOT, file)).href).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartError(`a required file is not built (${error.message}). Run npm run build -- --node.`);
  });
}

/** The context of a command on a service's data. */
export interface ServiceData {
  connection: Connection;
  /** The system's time, ms since epoch; the movable clock in local mode. */
  now: () => number;
}

/** Opens a service's database in a data folder for `work`. @throws {StartError} when there is no data */
export async function withData<T>(
  dataDir: string,
  service: 'auth' | 'mining',
  work: (data: ServiceData) => Promise<T>,
): Promise<T> {
  const [{ connectStore }, { createLogger }, { clockOffsetMs }] = await Promise.all([
    import('@cord/kit/store'),
    import('@cord/kit/log'),
    import('@cord/kit/clock-file'),
  ]);
  return withStore(dataDir, async ({ uri }) => {
    const aheadMs = isLocalMode(process.env) ? clockOffsetMs(dataDir) : 0;
    const connection = await connectStore(uri, `cord_${service}`, createLogger('cord', 'fatal'));
    try {
      return await work({ connection, now: () => Date.now() + aheadMs });
    } finally {
      await connection.close();
    }
  });
}
