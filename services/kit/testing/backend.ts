import { randomBytes } from 'node:crypto';
import { type Connection, createConnection } from 'mongoose';
import { createLogger } from '../log.js';
import { connectNats, type Nats } from '../nats.js';
import { connectStore } from '../store.js';
import { ensureTopology } from '../topology.js';
import { startNatsServer } from './nats-server.js';
import { isOnPath } from './process.js';
import { startStoreServer } from './store-server.js';

/** NATS and store for the services of a test. */
export type TestBackend = Awaited<ReturnType<typeof startTestBackend>>;

interface TestBackendOptions {
  /** Use own servers even when the environment provides some, with data on disk: for tests that kill and restart them. */
  own?: boolean;
  /** False for tests of NATS alone. */
  store?: boolean;
}

/** The streams' limits exceed a small machine's memory; none is reached. */
const IN_MEMORY = { config: JSON.stringify({ jetstream: { max_memory_store: 64 * 1024 ** 3 } }) };

/**
 * Starts NATS and the store. NATS: a server for this test file only, so that parallel files never see each other's events, with
 * streams in memory unless `own`; without nats-server on PATH, NATS_URL with emptied streams. Store: the suite's (CORD_TEST_BACKEND)
 * or MONGODB_URI with own database names, else mongod on PATH, else the embedded server.
 */
export async function startTestBackend(options: TestBackendOptions = {}) {
  const given = options.own ? {} : externalBackend();
  const wantsStore = options.store ?? true;
  const isNatsGiven = given.natsUrl && !isOnPath('nats-server');
  const inMemory = !isNatsGiven && !options.own;
  const natsServer = isNatsGiven ? undefined : await startNatsServer(inMemory ? IN_MEMORY : {});
  const storeServer = !wantsStore || given.mongodbUri ? undefined : await startStoreServer();
  const natsUrl = natsServer?.url ?? given.natsUrl ?? '';
  const mongodbUri = storeServer?.uri ?? given.mongodbUri ?? '';
  const prefix = `test_${randomBytes(5).toString('hex')}`;
  const log = createLogger('test', process.env.LOG_LEVEL ?? 'silent');
  const nats = await connectNats({ NATS_URL: natsUrl }, 'test', log);
  if (!natsServer) await emptyStreams(nats);
  const topology = () => ensureTopology(nats, { inMemory });
  await topology();
  const used = new Set<string>();
  const stores = new Map<string, Promise<Connection>>();
  const dbName = (service: string) => {
    const name = `${prefix}_${service}`;
    used.add(name);
    return name;
  };
  let replicas = 0;
  return {
    natsUrl,
    mongodbUri,
    /** A connection with all permissions: creates streams, publishes, subscribes. */
    nats,
    /** This test's own servers, which it may kill and restart; undefined when the environment provided one. */
    natsServer,
    storeServer,
    /** Recreates missing streams and consumers, and resets changed ones. */
    ensureTopology: topology,
    /** Returns a database name unique to this backend. */
    dbName,
    /** Returns a connection to a service's store: shared, and closed with the backend. */
    storeOf(service: string): Promise<Connection> {
      const store = stores.get(service) ?? connectStore(mongodbUri, dbName(service), log);
      stores.set(service, store);
      return store;
    },
    /** Returns the next replica number, from 0; files in one process do not share the count. */
    nextReplica: () => replicas++,
    async stop() {
      for (const store of stores.values()) await (await store).close();
      await nats.drain();
      if (wantsStore && !storeServer) await dropDatabases(mongodbUri, used);
      await natsServer?.stop();
      await storeServer?.stop();
    },
  };
}

function externalBackend(): { natsUrl?: string; mongodbUri?: string } {
  const suite = process.env.CORD_TEST_BACKEND;
  if (suite) return JSON.parse(suite);
  const { NATS_URL: natsUrl, MONGODB_URI: mongodbUri } = process.env;
  return { ...(natsUrl ? { natsUrl } : {}), ...(mongodbUri ? { mongodbUri } : {}) };
}

async function emptyStreams(nats: Nats): Promise<void> {
  for await (const { config } of nats.jsm.streams.list()) {
    if (/^(CORD_|KV_cord_)/.test(config.name)) await nats.jsm.streams.delete(config.name);
  }
}

async function dropDatabases(uri: string, names: ReadonlySet<string>): Promise<void> {
  if (names.size === 0) return;
  const connection = createConnection(uri);
  await connection.asPromise();
  for (const name of names) await connection.useDb(name).dropDatabase();
  await connection.destroy();
}
