import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, type ConnectOptions, createConnection } from 'mongoose';
import {
  STORE_CONNECT_TIMEOUT_MS,
  STORE_HEARTBEAT_MS,
  STORE_PING_TIMEOUT_MS,
  STORE_POOL_MAX,
  STORE_RETRY_MS_MAX,
  STORE_SELECTION_TIMEOUT_MS,
  STORE_SOCKET_TIMEOUT_MS,
} from './bounds.js';
import type { Log } from './log.js';
import { mendClosedSockets } from './store/closed-sockets.js';

/**
 * How a service reads and writes its store: every write on a majority's disk, and every read of what stands there, so that no process builds on, or answers
 * from, a write that a failover takes back; no buffering, so that an operation on a lost store fails within about five seconds; an int64 is a bigint.
 */
export const OPTIONS = {
  writeConcern: { w: 'majority', journal: true },
  readConcern: { level: 'majority' },
  autoIndex: false,
  autoCreate: false,
  bufferCommands: false,
  serverSelectionTimeoutMS: STORE_SELECTION_TIMEOUT_MS,
  connectTimeoutMS: STORE_CONNECT_TIMEOUT_MS,
  socketTimeoutMS: STORE_SOCKET_TIMEOUT_MS,
  waitQueueTimeoutMS: STORE_SELECTION_TIMEOUT_MS,
  heartbeatFrequencyMS: STORE_HEARTBEAT_MS,
  maxPoolSize: STORE_POOL_MAX,
  useBigInt64: true,
} satisfies ConnectOptions;

/**
 * Connects to the document store, waiting as long as it takes. The connection is the service's own; it comes back by
 * itself after an outage.
 * @throws the signal's reason when stopped while waiting
 */
export async function connectStore(
  uri: string,
  dbName: string,
  log: Log,
  signal?: AbortSignal,
  options: ConnectOptions = {},
): Promise<Connection> {
  mendClosedSockets();
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const connection = createConnection();
    try {
      await connection.openUri(uri, { ...OPTIONS, ...options, dbName });
      const onAway = () => log.warn('the store is away; operations fail until it comes back');
      connection.on('disconnected', onAway);
      // By this process itself, which is ending.
      connection.once('disconnecting', () => connection.off('disconnected', onAway));
      connection.on('reconnected', () => log.info('the store is back'));
      connection.on('error', (err) => log.warn({ err }, 'the store reports an error'));
      return connection;
    } catch (err) {
      await connection.destroy().catch(() => undefined);
      const waitMs = Math.min(STORE_RETRY_MS_MAX, 100 * 2 ** Math.min(tries, 10));
      log.warn({ tries, waitMs }, `waiting for the store: ${err instanceof Error ? err.name : String(err)}`);
      await sleep(waitMs, undefined, signal ? { signal } : {});
    }
  }
}

/** The store's own time, ms since epoch. @throws when it does not answer within STORE_PING_TIMEOUT_MS */
export async function storeTimeMs(connection: Connection): Promise<number> {
  if (!connection.db) throw new Error('the store is not connected');
  const { localTime } = await connection.db.command({ hello: 1 }, { timeoutMS: STORE_PING_TIMEOUT_MS });
  return (localTime as Date).getTime();
}

/** Whether the store answers now, within two seconds. */
export async function isStoreUp(connection: Connection): Promise<boolean> {
  if (connection.readyState !== 1 || !connection.db) return false;
  const ping = connection.db.command({ ping: 1 }).then(
    () => true,
    () => false,
  );
  return Promise.race([ping, sleep(STORE_PING_TIMEOUT_MS, false, { ref: false })]);
}
