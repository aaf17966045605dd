import { randomBytes } from 'node:crypto';
import { type Connection, createConnection } from 'mongoose';
import { createLogger } from '../log.js';
import { connectNats, type Nats } from '../nats.js';
import { connectStore } from '../store.js';
import { ensureTopology } from '../topology.js';
import { startNatsServer } from './nats-server.js';
import { isOnPath } from './process.js';
import { startStoreServer } from './store-server.js';

/** What a test's services run on. */
export type TestBackend = Awaited<ReturnType<typeof startTestBackend>>;

interface TestBackendOptions {
  /** Servers of its own even where the environment gives some, their data on disk: for tests that kill and restart them. */
  own?: boolean;
  /** Off for tests of NATS alone. */
  store?: boolean;
}

/** The limits of the streams exceed what a small machine has; none of them is reached. */
const IN_MEMORY = { config: JSON.stringify({ jetstream: { max_memory_store: 64 * 1024 ** 3 } }) };

/**
 * Starts what services need. NATS: a server of this test file alone, so that files running side by side never see each
 * other's events, with its streams in memory unless `own`; where nats-server is not on PATH, NATS_URL with emptied streams.
 * Store: the suite's (CORD_TEST_BACKEND) or MONGODB_URI with database names of its own, else mongod on PATH, else the embedded server.
 */
export async function startTestBackend(options: TestBackendOptions = {}) {
  const given = options.own ? {} : givenBackend();
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
    /** A connection that may do everything: makes streams, publishes, listens. */
    nats,
    /** The servers of this test alone, to be killed and restarted; undefined where the environment gave one. */
    natsServer,
    storeServer,
    /** Makes streams and consumers that are not there any more, and changes those that are not as the table has them. */
    ensureTopology: topology,
    /** A database name of this backend alone. */
    dbName,
    /** A look into a service's own store: one connection for all looks, which ends with the backend. */
    storeOf(service: string): Promise<Connection> {
      const store = stores.get(service) ?? connectStore(mongodbUri, dbName(service), log);
      stores.set(service, store);
      return store;
    },
    /** The numbers of its services' replicas, from 0 on: files that share a process share no count. */
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

function givenBackend(): { natsUrl?: string; mongodbUri?: string } {
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
