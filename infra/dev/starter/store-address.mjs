import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secret } from './data-folder.mjs';
import { readJson } from './files.mjs';
import { StartError } from './problems.mjs';
import { runFile } from './run-file.mjs';

/** Who uses a store of our own; its password is made with the installation's other secrets. */
export const STORE_USER = 'cord';
const STORE_SECRET = 'store';

/** Where the password of our own store is, for a program that reads it itself. */
export const storePasswordFile = (dataDir) => join(dataDir, 'secrets', STORE_SECRET);

/** The password of our own store, made when there is none yet. @param {string} dataDir @returns {Promise<string>} */
export const storePassword = (dataDir) => secret(dataDir, STORE_SECRET);

/** An address as run.json and messages may show it. @param {string} uri */
export const withoutPassword = (uri) => uri.replace(/^(mongodb(?:\+srv)?:\/\/)[^/]*@/, '$1');

/**
 * An address with the user and password of our own store. The users' database is named: a service's own database would
 * else be asked for them.
 * @param {string} uri without a user
 * @param {string} password
 */
export function withPassword(uri, password) {
  const address = new URL(uri);
  Object.assign(address, { username: STORE_USER, password });
  if (address.pathname === '') address.pathname = '/';
  address.searchParams.set('authSource', 'admin');
  return address.href;
}

/**
 * The address, with password, of the store of the system that runs on a data folder.
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} [env] for MONGODB_URI, where the store is not ours
 * @throws {StartError} when no system runs there
 */
export async function runningStoreUri(dataDir, env = process.env) {
  const running = await readJson(runFile(dataDir));
  if (!running?.mongodbUri)
    throw new StartError(`no system runs on ${dataDir}. Start it with npm start, or name its folder with --data.`);
  if (!running.services?.store?.length) return env.MONGODB_URI ?? running.mongodbUri;
  const password = await readFile(storePasswordFile(dataDir), 'utf8').catch(() => undefined);
  // A system of an earlier release, still running, asks for none.
  return password === undefined ? running.mongodbUri : withPassword(running.mongodbUri, password.trim());
}
