import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinary } from './binaries.mjs';
import { ROOT } from './paths.mjs';
import { acceptsOn } from './probes.mjs';

const REPLICA_SET = 'cord';
/** NotYetInitialized: the code with which a mongod answers before its replica set is configured. */
const NOT_YET_INITIALISED = 94;

/**
 * The document store by the ladder MONGODB_URI, mongod on PATH, embedded server (design.md, Running it).
 * @param {{env: NodeJS.ProcessEnv, dataDir: string, port: number}} where
 * @returns what to run (nothing for MONGODB_URI), its address, and what to say of it
 */
export async function chooseStore({ env, dataDir, port }) {
  if (env.MONGODB_URI) return { uri: env.MONGODB_URI, said: 'MongoDB at MONGODB_URI', real: true };
  const mongod = await findBinary('mongod');
  return mongod ? ownMongod({ mongod, dataDir, port }) : embedded({ dataDir, port });
}

async function ownMongod({ mongod, dataDir, port }) {
  const folder = join(dataDir, 'mongod');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=${REPLICA_SET}`,
    said: `${mongod}, a replica set of one`,
    real: true,
    process: {
      command: mongod,
      args: ['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', REPLICA_SET],
      isReady: () => replicaSetIsReady(port),
    },
  };
}

async function embedded({ dataDir, port }) {
  const folder = join(dataDir, 'store');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const main = join(ROOT, 'infra/embedded-mongo/dist/main.js');
  await access(main);
  return {
    uri: `mongodb://127.0.0.1:${port}`,
    said: 'the embedded server (no MONGODB_URI, no mongod on PATH)',
    real: false,
    process: {
      command: process.execPath,
      args: ['--enable-source-maps', main, '--port', String(port), '--data', folder],
      isReady: acceptsOn(port),
    },
  };
}

/** Configures the replica set at its first start; true once it takes writes. */
async function replicaSetIsReady(port) {
  const { mongo } = await import('mongoose');
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
  });
  try {
    const admin = client.db('admin');
    const hello = await admin.command({ hello: 1 });
    if (hello.isWritablePrimary) return true;
    const status = await admin.command({ replSetGetStatus: 1 }).catch((error) => error);
    if (status.code === NOT_YET_INITIALISED) {
      const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
      await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
    }
    return false;
  } finally {
    await client.close();
  }
}
