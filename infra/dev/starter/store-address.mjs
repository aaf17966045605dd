import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secret } from './data-folder.mjs';
import { readJson } from './files.mjs';
import { StartError } from './problems.mjs';
import { runFile } from './run-file.mjs';
import { SERVICES } from './services.mjs';

/** The operator of a store of our own: who migrates, backs up and audits all databases. */
const OPERATOR = 'cord';
const secretOf = (user) => (user === OPERATOR ? 'store' : `store-${user}`);
const passwordFileOf = (dataDir, user) => join(dataDir, 'secrets', secretOf(user));

/**
 * @typedef {object} StoreUser
 * @property {string} name @property {string} password @property {string} passwordFile for a program that reads it itself
 * @property {string} [database] the only one that the user reads and writes; the operator has none and may do everything
 */

/**
 * Who uses a store of our own: the operator first, then every service with its database. Their passwords are made with the installation's
 * other secrets.
 * @param {string} dataDir @returns {Promise<StoreUser[]>}
 */
export function storeUsers(dataDir) {
  return Promise.all(
    [OPERATOR, ...SERVICES].map(async (name) => ({
      name,
      password: await secret(dataDir, secretOf(name)),
      passwordFile: passwordFileOf(dataDir, name),
      ...(name === OPERATOR ? {} : { database: `cord_${name}` }),
    })),
  );
}

/**
 * The addresses of a store of our own by its users.
 * @param {string} address without a user @param {StoreUser[]} users of storeUsers
 * @returns {{uri: string, uriFor: (service: string) => string}} uri: the operator's
 */
export function addressesOf(address, users) {
  const uris = new Map(users.map((user) => [user.name, withPassword(address, user)]));
  return { uri: uris.get(OPERATOR), uriFor: (service) => uris.get(service) };
}

/** An address as run.json and messages may show it. @param {string} uri */
export const withoutPassword = (uri) => uri.replace(/^(mongodb(?:\+srv)?:\/\/)[^/]*@/, '$1');

/**
 * An address with a user of our own store. The users' database is named: a service's own database would else be asked for them.
 * @param {string} uri without a user
 * @param {{name: string, password: string}} user
 */
export function withPassword(uri, { name, password }) {
  const address = new URL(uri);
  Object.assign(address, { username: name, password });
  if (address.pathname === '') address.pathname = '/';
  address.searchParams.set('authSource', 'admin');
  return address.href;
}

/**
 * The address, with the operator's password, of the store of the system that runs on a data folder.
 * @param {string} dataDir
 * @param {NodeJS.ProcessEnv} [env] for MONGODB_URI, where the store is not ours
 * @throws {StartError} when no system runs there
 */
export async function runningStoreUri(dataDir, env = process.env) {
  const running = await readJson(runFile(dataDir));
  if (!running?.mongodbUri)
    throw new StartError(`no system runs on ${dataDir}. Start it with npm start, or name its folder with --data.`);
  if (!running.services?.store?.length) return env.MONGODB_URI ?? running.mongodbUri;
  const password = await readFile(passwordFileOf(dataDir, OPERATOR), 'utf8').catch(() => undefined);
  // A system of an earlier release, still running, asks for none.
  return password === undefined
    ? running.mongodbUri
    : withPassword(running.mongodbUri, { name: OPERATOR, password: password.trim() });
}
