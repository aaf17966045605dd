import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secret } from './data-folder.ts';
import { readJson } from './files.ts';
import { StartError } from './problems.mjs';
import { type Running, runFile } from './run-file.ts';
import { SERVICES } from './services.ts';

/** The operator of our own store, who migrates, backs up and audits all databases. */
const OPERATOR = 'cord';
const secretOf = (user: string) => (user === OPERATOR ? 'store' : `store-${user}`);
const passwordFileOf = (dataDir: string, user: string) => join(dataDir, 'secrets', secretOf(user));

export interface StoreUser {
  name: string;
  password: string;
  /** for programs that read the password themselves */
  passwordFile: string;
  /** the one database that the user may read and write; the operator has none and may do everything */
  database?: string;
}

/**
 * Returns the users of our own store: the operator first, then each service with its database. Their passwords are made
 * with the other secrets.
 */
export function storeUsers(dataDir: string): Promise<StoreUser[]> {
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
 * Returns the addresses of our own store for its users.
 * @param address without a user
 * @param users of storeUsers
 * @returns uri: the operator's
 */
export function addressesOf(address: string, users: StoreUser[]): { uri: string; uriFor: (service: string) => string } {
  const uris = new Map(users.map((user) => [user.name, withPassword(address, user)]));
  const uriFor = (user: string) => uris.get(user) ?? address;
  return { uri: uriFor(OPERATOR), uriFor };
}

/** Removes the password from an address, for run.json and messages. */
export const withoutPassword = (uri: string): string => uri.replace(/^(mongodb(?:\+srv)?:\/\/)[^/]*@/, '$1');

/**
 * Adds a user of our own store to an address. authSource: MongoDB would look for the user in the service's database.
 * @param uri without a user
 */
export function withPassword(uri: string, { name, password }: { name: string; password: string }): string {
  const address = new URL(uri);
  Object.assign(address, { username: name, password });
  if (address.pathname === '') address.pathname = '/';
  address.searchParams.set('authSource', 'admin');
  return address.href;
}

/**
 * Returns the operator's address, with password, of the store of the running system.
 * @param env for MONGODB_URI, when the store is not ours
 * @throws {StartError} when no system runs there
 */
export async function runningStoreUri(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const running = await readJson<Running>(runFile(dataDir));
  if (!running?.mongodbUri)
    throw new StartError(`no system runs on ${dataDir}. Start it with npm start, or name its folder with --data.`);
  if (!running.services?.store?.length) return env.MONGODB_URI ?? running.mongodbUri;
  const password = await readFile(passwordFileOf(dataDir, OPERATOR), 'utf8');
  return withPassword(running.mongodbUri, { name: OPERATOR, password: password.trim() });
}
