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

/** MongoDB's codes for what a start may meet: AlreadyInitialized, NotYetInitialized, Unauthorized, AuthenticationFailed, and a user who is there already. */
const ALREADY_INITIALISED = 23;
const NOT_YET_INITIALISED = 94;
const UNAUTHORISED = 13;
const AUTHENTICATION_FAILED = 18;
const USER_EXISTS = 51003;

/**
 * A mongod of our own: a replica set of one on loopback, which wants our users. The key file turns access control on; until
 * the first user is there, MongoDB's localhost exception lets this machine configure the set and make that user, the operator.
 * The set keeps its member's address, and each start has another port: the operator enters the new one.
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
    const { isWritablePrimary, setName } = await admin.command({ hello: 1 });
    const first = { _id: REPLICA_SET, version: 1, members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
    // Without a name it has no configuration yet, or does not find itself in it.
    const isOutside = !isWritablePrimary && !setName;
    if (isOutside && (await initiate(admin, first))) return false;
    const client = await signedIn(withPassword(address, operator), clientFor);
    try {
      if (isWritablePrimary && client) return await hasUsers(client, others);
      if (isWritablePrimary) await createOperator(admin, operator);
      else if (client) await moveTo(client.db('admin'), first);
      // Its first start ended before it had a user.
      else if (isOutside) await reconfigure(admin, first).catch(refuseForeign);
      return false;
    } finally {
      await client?.close();
    }
  } finally {
    await stranger.close();
  }
}

/** @returns whether it had neither configuration nor user */
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

/** Enters the address of this start; a member that does not find itself in its set's configuration takes no part in it. */
async function moveTo(admin: mongo.Db, { members }: { members: { host: string }[] }) {
  const { config } = await admin.command({ replSetGetConfig: 1 }).catch(ifNotYet);
  if (!config || config.members[0].host === members[0]?.host) return;
  await reconfigure(admin, { ...config, version: config.version + 1, members });
}

/** By force: without a primary nothing else is accepted. */
const reconfigure = (admin: mongo.Db, config: object) =>
  admin.command({ replSetReconfig: config, force: true }).catch(ifNotYet);

/** It has not read its configuration yet: the next look meets it later. */
function ifNotYet(error: mongo.MongoServerError): mongo.Document {
  if (error.code !== NOT_YET_INITIALISED) throw error;
  return {};
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

/** Makes each service's user as it is to be, also where the data have one with another password or role. */
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
 * Allowed on this machine while there is no user at all.
 * @throws {StartError} when there is one with another password
 */
async function createOperator(admin: mongo.Db, { name, password: pwd }: StoreUser) {
  const roles = [{ role: 'root', db: 'admin' }];
  await admin.command({ createUser: name, pwd, roles }).catch(refuseForeign);
}

function refuseForeign(error: mongo.MongoServerError): never {
  if (error.code !== UNAUTHORISED) throw error;
  throw new StartError(
    `the MongoDB in the data folder has a user already, and the password in secrets/store is not its own. Bring back the secrets that belong to these data, or start over ("npx cord data reset") and import a backup ("npx cord data import FILE").`,
  );
}

async function connect(uri: string) {
  const { mongo } = await import('mongoose');
  return new mongo.MongoClient(uri, { serverSelectionTimeoutMS: ANSWER_MS_MAX }).connect();
}
