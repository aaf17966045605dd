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

/** MongoDB error codes: AlreadyInitialized, NotYetInitialized, Unauthorized, AuthenticationFailed, user exists. */
const ALREADY_INITIALISED = 23;
const NOT_YET_INITIALISED = 94;
const UNAUTHORISED = 13;
const AUTHENTICATION_FAILED = 18;
const USER_EXISTS = 51003;

/**
 * Runs our own mongod: a replica set of one member on loopback with access control (key file). Until the first user
 * exists, MongoDB's localhost exception lets this machine configure the set and create the operator. The set stores its
 * member's address, and the port changes at each start, so the operator enters the new one.
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
 * Takes one step towards a primary with our users; returns true when all exist.
 * @param users the operator first
 */
export async function isReady(port: number, users: readonly StoreUser[], clientFor = connect): Promise<boolean> {
  const [operator, ...others] = users;
  if (!operator) throw new TypeError('a store has an operator');
  const address = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const stranger = await clientFor(address);
  try {
    const admin = stranger.db('admin');
    const { isWritablePrimary, setName } = await admin.command({ hello: 1 });
    const first = { _id: REPLICA_SET, version: 1, members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
    // Without a set name the server has no configuration yet, or does not find itself in it.
    const isOutside = !isWritablePrimary && !setName;
    if (isOutside && (await initiate(admin, first))) return false;
    const client = await signedIn(withPassword(address, operator), clientFor);
    try {
      if (isWritablePrimary && client) return await hasUsers(client, others);
      if (isWritablePrimary) await createOperator(admin, operator);
      else if (client) await moveTo(client.db('admin'), first);
      // The first start ended before it had created a user.
      else if (isOutside) await reconfigure(admin, first).catch(refuseForeign);
      return false;
    } finally {
      await client?.close();
    }
  } finally {
    await stranger.close();
  }
}

/** @returns whether the server had neither a configuration nor a user */
async function initiate(admin: mongo.Db, first: object) {
  try {
    await admin.command({ replSetInitiate: first });
    return true;
  } catch (error) {
    const { code } = error as mongo.MongoServerError;
    if (code !== ALREADY_INITIALISED && code !== UNAUTHORISED) throw error;
    return false;
  }
}

/** Enters the address of this start: a member that does not find itself in the configuration stays outside the set. */
async function moveTo(admin: mongo.Db, { members }: { members: { host: string }[] }) {
  const { config } = await admin.command({ replSetGetConfig: 1 }).catch(ifNotYet);
  if (!config || config.members[0].host === members[0]?.host) return;
  await reconfigure(admin, { ...config, version: config.version + 1, members });
}

/** Forced: without a primary the server accepts no other reconfiguration. */
const reconfigure = (admin: mongo.Db, config: object) =>
  admin.command({ replSetReconfig: config, force: true }).catch(ifNotYet);

/** The server has not read its configuration yet; the next poll retries. */
function ifNotYet(error: mongo.MongoServerError): mongo.Document {
  if (error.code !== NOT_YET_INITIALISED) throw error;
  return {};
}

/** @returns a client, or undefined when user and password do not match */
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

/** Creates or updates the user of each service; existing data may have it with another password or role. */
async function hasUsers(client: mongo.MongoClient, users: StoreUser[]): Promise<true> {
  const admin = client.db('admin');
  for (const { name, password: pwd, database: db } of users) {
    const roles = [{ role: 'readWrite', db }];
    await admin.command({ createUser: name, pwd, roles }).catch(async (error: mongo.MongoServerError) => {
      if (error.code !== USER_EXISTS) throw error;
      await admin.command({ updateUser: name, pwd, roles });
    });
  }
  return true;
}

/**
 * Creates the operator, which this machine may do while no user exists.
 * @throws {StartError} when one exists with another password
 */
async function createOperator(admin: mongo.Db, { name, password: pwd }: StoreUser) {
  const roles = [{ role: 'root', db: 'admin' }];
  await admin.command({ createUser: name, pwd, roles }).catch(refuseForeign);
}

function refuseForeign(error: mongo.MongoServerError): never {
  if (error.code !== UNAUTHORISED) throw error;
  throw new StartError(
    `the MongoDB in the data folder has a user whose password is not the one in secrets/store. Restore the secrets of this data, or start over ("npx cord data reset") and import a backup ("npx cord data import FILE").`,
  );
}

async function connect(uri: string) {
  const { mongo } = await import('mongoose');
  return new mongo.MongoClient(uri, { serverSelectionTimeoutMS: ANSWER_MS_MAX }).connect();
}
