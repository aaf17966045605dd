import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { secret } from './data-folder.mjs';
import { StartError } from './problems.mjs';
import { STORE_USER, storePassword, withPassword } from './store-address.mjs';

const REPLICA_SET = 'cord';
const KEY_FILE = 'mongod-key';
const ANSWER_MS_MAX = 1_000;

/** MongoDB's codes for what a start may meet: AlreadyInitialized, Unauthorized, AuthenticationFailed. */
const ALREADY_INITIALISED = 23;
const UNAUTHORISED = 13;
const AUTHENTICATION_FAILED = 18;

/**
 * A mongod of our own: a replica set of one on loopback, which wants our user. The key file turns access control on; until
 * the first user is there, MongoDB's localhost exception lets this machine configure the set and make that user.
 * @param {{mongod: string, dataDir: string, port: number}} where
 */
export async function ownMongod({ mongod, dataDir, port }) {
  const folder = join(dataDir, 'mongod');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await secret(dataDir, KEY_FILE);
  const password = await storePassword(dataDir);
  const address = `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`;
  return {
    address,
    uri: withPassword(address, password),
    said: `${mongod}, a replica set of one`,
    real: true,
    process: {
      command: mongod,
      args: [
        ...['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', REPLICA_SET],
        ...['--keyFile', join(dataDir, 'secrets', KEY_FILE)],
      ],
      isReady: () => isReady(port, password),
    },
  };
}

/** One step towards a primary with our user for each time it is asked; true when both are there. */
export async function isReady(port, password, clientFor = connect) {
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
    if (await signsIn(withPassword(address, password), clientFor)) return true;
    await createUser(admin, password);
    return false;
  } finally {
    await stranger.close();
  }
}

async function initiate(admin, port) {
  const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
  await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } }).catch((error) => {
    if (error.code !== ALREADY_INITIALISED) throw error;
  });
}

async function signsIn(uri, clientFor) {
  let client;
  try {
    client = await clientFor(uri);
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch (error) {
    if (error.code === AUTHENTICATION_FAILED) return false;
    throw error;
  } finally {
    await client?.close();
  }
}

/** Allowed on this machine while there is no user at all. @throws {StartError} when there is one with another password */
async function createUser(admin, password) {
  const roles = [{ role: 'root', db: 'admin' }];
  await admin.command({ createUser: STORE_USER, pwd: password, roles }).catch((error) => {
    if (error.code !== UNAUTHORISED) throw error;
    throw new StartError(
      `the MongoDB in the data folder has a user already, and the password in secrets/store is not its own. Bring back the secrets that belong to these data, or begin anew ("npm run data -- reset") and import a backup ("npm run data -- import FILE").`,
    );
  });
}

async function connect(uri) {
  const { mongo } = await import('mongoose');
  return new mongo.MongoClient(uri, { serverSelectionTimeoutMS: ANSWER_MS_MAX }).connect();
}
