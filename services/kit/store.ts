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
import { patchClosedSockets } from './store/closed-sockets.js';

/**
 * Options of a service's store. Every write is on a majority's disk, and every read returns such data, so that no process relies on a write
 * that a failover reverts. No buffering, so that an operation fails within about five seconds when the store is lost. An int64 is a bigint.
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
 * Connects to the document store, waiting as long as necessary. The connection belongs to the service; it recovers from an outage
 * by itself.
 * @throws the signal's reason when stopped while waiting
 */
export async function connectStore(
  uri: string,
  dbName: string,
  log: Log,
  signal?: AbortSignal,
  options: ConnectOptions = {},
): Promise<Connection> {
  patchClosedSockets();
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    const connection = createConnection();
    try {
      await connection.openUri(uri, { ...OPTIONS, ...options, dbName });
      const onAway = () => log.warn('the store is unreachable; operations fail until it reconnects');
      connection.on('disconnected', onAway);
      // The process itself disconnects, because it is stopping.
      connection.once('disconnecting', () => connection.off('disconnected', onAway));
      connection.on('reconnected', () => log.info('the store is reachable again'));
      connection.on('error', (err) => log.warn({ err }, 'the store reported an error'));
      return connection;
    } catch (err) {
      await connection.destroy().catch(() => undefined);
      const waitMs = Math.min(STORE_RETRY_MS_MAX, 100 * 2 ** Math.min(tries, 10));
      log.warn({ tries, waitMs }, `waiting for the store: ${err instanceof Error ? err.name : String(err)}`);
      await sleep(waitMs, undefined, signal ? { signal } : {});
    }
  }
}

/** Returns the store's own time, ms since epoch. @throws when it does not respond within STORE_PING_TIMEOUT_MS */
export async function storeTimeMs(connection: Connection): Promise<number> {
  if (!connection.db) throw new Error('the store is not connected');
  const { localTime } = await connection.db.command({ hello: 1 }, { timeoutMS: STORE_PING_TIMEOUT_MS });
  return (localTime as Date).getTime();
}

/** Whether the store responds within two seconds. */
export async function isStoreUp(connection: Connection): Promise<boolean> {
  if (connection.readyState !== 1 || !connection.db) return false;
  const ping = connection.db.command({ ping: 1 }).then(
    () => true,
    () => false,
  );
  return Promise.race([ping, sleep(STORE_PING_TIMEOUT_MS, false, { ref: false })]);
}
