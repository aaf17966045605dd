import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { mongo } from 'mongoose';
import { secret } from './data-folder.ts';
import { StartError } from './problems.mjs';
import type { Store } from './store.ts';
import { addressesOf, type StoreUser, storeUsers, withPassword } from './store-address.ts';

const REPLICA_SET = 'cord';
const KEY_FILE = 'mongod-key';
const ANSWER_MS_MAX = 1_000;

/** MongoDB's codes for what a start may meet: AlreadyInitialized, Unauthorized, AuthenticationFailed, and a user who is there already. */
const ALREADY_INITIALISED = 23;
const UNAUTHORISED = 13;
const AUTHENTICATION_FAILED = 18;
const USER_EXISTS = 51003;

/**
 * A mongod of our own: a replica set of one on loopback, which wants our users. The key file turns access control on; until
 * the first user is there, MongoDB's localhost exception lets this machine configure the set and make that user, the operator.
 */
export async function ownMongod({
  mongod,
  dataDir,
  port,
}: {
  mongod: string;
  dataDir: string;
  port: number;
}): Promise<Store> {
  const folder = join(dataDir, 'mongod');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await secret(dataDir, KEY_FILE);
  const users = await storeUsers(dataDir);
  const address = `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`;
  return {
    address,
    ...addressesOf(address, users),
    description: `${mongod}, a replica set of one`,
    real: true,
    process: {
      command: mongod,
      args: [
        ...['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', REPLICA_SET],
        ...['--keyFile', join(dataDir, 'secrets', KEY_FILE)],
      ],
      isReady: () => isReady(port, users),
    },
  };
}

/**
 * One step towards a primary with our users for each call; true when all are there.
 * @param users the operator first
 */
export async function isReady(port: number, users: readonly StoreUser[], clientFor = connect): Promise<boolean> {
  const [operator, ...others] = users;
  if (!operator) throw new TypeError('a store has an operator');
  const address = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const stranger = await clientFor(address);
  try {
    const admin = stranger.db('admin');
    const hello = await admin.command({ hello: 1 });
    if (!hello.isWritablePrimary) {
      // Without a name it has no configuration yet.
      if (!hello.setName) await initiate(admin, port);
      return false;
    }
    const client = await signedIn(withPassword(address, operator), clientFor);
    if (client) return await hasUsers(client, others);
    await createOperator(admin, operator);
    return false;
  } finally {
    await stranger.close();
  }
}

async function initiate(admin: mongo.Db, port: number) {
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } }).catch((error: mongo.MongoServerError) => {
    if (error.code !== ALREADY_INITIALISED) throw error;
  });
}

/** @returns a client, or nothing where user and password do not fit */
async function signedIn(uri: string, clientFor: typeof connect) {
  let client: mongo.MongoClient | undefined;
  try {
    client = await clientFor(uri);
    await client.db('admin').command({ ping: 1 });
    return client;
  } catch (error) {
    await client?.close();
    if ((error as mongo.MongoServerError).code === AUTHENTICATION_FAILED) return undefined;
    throw error;
  }
}

/** Makes each service's user as it is to be, also of data that an earlier release has made. */
async function hasUsers(client: mongo.MongoClient, users: StoreUser[]): Promise<true> {
  try {
    const admin = client.db('admin');
    for (const { name, password: pwd, database: db } of users) {
      const roles = [{ role: 'readWrite', db }];
      await admin.command({ createUser: name, pwd, roles }).catch(async (error: mongo.MongoServerError) => {
        if (error.code !== USER_EXISTS) throw error;
        await admin.command({ updateUser: name, pwd, roles });
      });
    }
    return true;
  } finally {
    await client.close();
  }
}

/**
 * Allowed on this machine while there is no user at all.
 * @throws {StartError} when there is one with another password
 */
async function createOperator(admin: mongo.Db, { name, password: pwd }: StoreUser) {
  const roles = [{ role: 'root', db: 'admin' }];
  await admin.command({ createUser: name, pwd, roles }).catch((error: mongo.MongoServerError) => {
    if (error.code !== UNAUTHORISED) throw error;
    throw new StartError(
      `the MongoDB in the data folder has a user already, and the password in secrets/store is not its own. Bring back the secrets that belong to these data, or start over ("npx cord data reset") and import a backup ("npx cord data import FILE").`,
    );
  });
}

async function connect(uri: string) {
  const { mongo } = await import('mongoose');
  return new mongo.MongoClient(uri, { serverSelectionTimeoutMS: ANSWER_MS_MAX }).connect();
}
