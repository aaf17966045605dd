import type { ServerContext } from './commands/context.js';
import { CursorRegistry } from './commands/cursors.js';
import { dispatch } from './commands/dispatch.js';
import { Database } from './engine/database.js';
import { lockFolder } from './engine/lock.js';
import { Store } from './engine/store.js';
import { sweepExpired } from './engine/ttl.js';
import { type UserOptions, Users } from './sign-in/users.js';
import { MAX_MESSAGE_BYTES, MAX_STRANGER_BYTES } from './wire/frames.js';
import { listen } from './wire/server.js';

export * from './capabilities.js';
export type { UserOptions } from './sign-in/users.js';

export interface EmbeddedMongoOptions {
  /** 0 selects a free port. */
  port: number;
  /** Created if missing; used by one process at a time. */
  dataDir: string;
  /** Interval between sweeps of TTL indexes, ms; one minute in MongoDB. */
  ttlSweepMs?: number;
  /** Bytes that the data file keeps free, so that deletes work on a full disk; 4 MiB by default. */
  reserveBytes?: number;
  /** Users that may sign in by SCRAM-SHA-256; without it every process on this machine has access. */
  users?: readonly UserOptions[];
  /** Receives warnings: full scans over 10,000 documents, connections closed for malformed messages, internal errors. */
  warn?: (message: string) => void;
}

export interface EmbeddedMongo {
  uri: string;
  port: number;
  /** Finishes running commands, then closes the store. */
  close: () => Promise<void>;
}

const TTL_SWEEP_MS = 60_000;

/**
 * Starts a server on 127.0.0.1. Throws when the folder is in use by another process, cannot be written or holds damaged
 * data, each by path, or when the port is taken.
 */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const warn = options.warn ?? (() => undefined);
  const unlock = await lockFolder(options.dataDir);
  const store = await openStore(options, warn, unlock);
  try {
    const database = await Database.load(store);
    const users = options.users === undefined ? undefined : await Users.of(options.users);
    const server: ServerContext = {
      store,
      database,
      cursors: new CursorRegistry(),
      startedMs: performance.now(),
      warn,
      connections: () => wire.connections(),
      users,
      counters: new Map(),
    };
    const wire = await listen({
      port: options.port,
      handle: (command, session) => dispatch(server, command, session),
      maxBytes: ({ user }) => (users === undefined || user !== undefined ? MAX_MESSAGE_BYTES : MAX_STRANGER_BYTES),
      log: warn,
    });
    const stopSweeping = sweepRegularly(database, options.ttlSweepMs ?? TTL_SWEEP_MS, warn);
    return {
      uri: `mongodb://127.0.0.1:${wire.port}`,
      port: wire.port,
      close: async () => {
        await wire.close();
        await stopSweeping();
        await server.cursors.close();
        await store.close();
        await unlock();
      },
    };
  } catch (error) {
    await store.close();
    await unlock();
    throw error;
  }
}

async function openStore(
  { dataDir, reserveBytes }: EmbeddedMongoOptions,
  warn: (message: string) => void,
  unlock: () => Promise<void>,
): Promise<Store> {
  try {
    return await Store.open(dataDir, { warn, ...(reserveBytes === undefined ? {} : { reserveBytes }) });
  } catch (error) {
    await unlock();
    throw error;
  }
}

function sweepRegularly(database: Database, everyMs: number, warn: (message: string) => void): () => Promise<void> {
  let sweep: Promise<void> | undefined;
  const timer = setInterval(() => {
    sweep ??= sweepExpired(database, Date.now())
      .then(() => database.tidy())
      .then(() => undefined)
      .catch((error) => warn(`TTL sweep: ${(error as Error).message}`))
      .finally(() => {
        sweep = undefined;
      });
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await sweep;
  };
}
