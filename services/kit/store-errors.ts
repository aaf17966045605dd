import { mongo } from 'mongoose';

const UNAVAILABLE: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'PoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'WaitQueueTimeoutError',
  'MongoClientClosedError',
  'DisconnectedError',
  'MongooseNotConnectedError',
]);

/** Error codes of a member that is not, or no longer, the primary, and of a shutdown. */
const NOT_PRIMARY: ReadonlySet<number> = new Set([91, 189, 10107, 11600, 11602, 13435, 13436]);

/** Its disk is full: it takes no writes until there is room. */
const OUT_OF_DISK_SPACE = 14_031;

/** Codes of a socket that broke during a command; the driver passes the system's error on. */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Whether an error means that the store is away or takes no writes, not that the operation was wrong. */
export function isStoreUnavailable(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  if (UNAVAILABLE.has(err.name)) return true;
  // A bulk write wraps the error that ended its command.
  if (err instanceof mongo.MongoBulkWriteError && isStoreUnavailable(err.errorResponse)) return true;
  if ('code' in err && SOCKET_CODES.has(err.code)) return true;
  if (err instanceof mongo.MongoServerError)
    return typeof err.code === 'number' && (err.code === OUT_OF_DISK_SPACE || NOT_PRIMARY.has(err.code));
  // Mongoose with bufferCommands off, before the first connection or after a close.
  return err.name === 'MongooseError' && /initial connection|bufferCommands|not connected/i.test(err.message);
}

/** Whether a unique index rejected a write. */
export function isDuplicateKey(err: unknown): boolean {
  return err instanceof mongo.MongoServerError && err.code === 11_000;
}

/** @returns false when a document with the same unique key exists already */
export async function insertOnce(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (err) {
    if (isDuplicateKey(err)) return false;
    throw err;
  }
}
