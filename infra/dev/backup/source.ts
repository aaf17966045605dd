import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Connection, mongo } from 'mongoose';
import { StartError } from '../starter/problems.mjs';

const SELECTION_MS_MAX = 10_000;
/** MongoDB error codes: unknown command, and a snapshot that no longer exists. */
const UNKNOWN_COMMAND = 59;
const SNAPSHOT_GONE = [239, 246];
/** TTL sweep interval of a copy, in ms: it is only read, so nothing may expire. */
const NEVER_MS = 2 ** 31 - 1;

/** All databases at one instant. */
export interface Source {
  client: mongo.MongoClient;
  session?: mongo.ClientSession;
  /** ISO 8601 */
  instant: string;
  how: string;
  close: () => Promise<void>;
}

/** The kit's functions take a mongoose connection but use only `collection`, which a database of the driver has too. */
export const asConnection = (db: mongo.Db): Connection => db as unknown as Connection;

/**
 * Opens all databases of a store for reading, at one instant. The embedded server copies its last commit, and a server
 * in this process reads the copy. MongoDB provides a snapshot session, limited to minSnapshotHistoryWindowInSeconds
 * (default 300 s).
 * @throws {StartError} for a store without snapshots
 */
export async function openSource(uri: string): Promise<Source> {
  const client = await connect(uri);
  try {
    const instant = new Date().toISOString();
    const folder = await snapshotOf(client);
    if (folder === undefined) return await sessionOf(client, instant);
    await client.close();
    return await copyIn(folder, instant);
  } catch (error) {
    await client.close();
    throw error;
  }
}

/**
 * Options of a read in a session of a snapshot, or of one without a session. The read concern is explicit, because that of an
 * address (readConcernLevel) would take the place of the session's, and each read would have its own instant.
 */
export const inSnapshot = (session: mongo.ClientSession | undefined) =>
  session ? { session, readConcern: mongo.ReadConcernLevel.snapshot } : {};

/** Opens a live store, for append-only data: this needs neither disk space for a copy nor a replica set. */
export async function openLive(uri: string): Promise<Source> {
  const instant = new Date().toISOString();
  const client = await connect(uri);
  return { client, instant, how: 'as the store stands', close: () => client.close() };
}

/** Connects to a store. */
export const connect = (uri: string, options: mongo.MongoClientOptions = {}): Promise<mongo.MongoClient> =>
  new mongo.MongoClient(uri, { serverSelectionTimeoutMS: SELECTION_MS_MAX, ...options }).connect();

/** @returns undefined when the store is MongoDB */
async function snapshotOf(client: mongo.MongoClient): Promise<string | undefined> {
  try {
    return (await client.db('admin').command({ cordSnapshot: 1 })).folder;
  } catch (error) {
    if ((error as mongo.MongoServerError).code === UNKNOWN_COMMAND) return undefined;
    throw new StartError((error as Error).message);
  }
}

/**
 * @param folder a copy made by an embedded server
 * @throws {StartError} when it is not on this machine
 */
export async function copyIn(folder: string, instant: string): Promise<Source> {
  // An embedded server elsewhere makes its copy elsewhere: here the folder would be empty.
  const embedded = existsSync(folder) ? await import('@cord/embedded-mongo').catch(() => undefined) : undefined;
  if (!embedded) throw new StartError('the embedded store runs on another machine: export it there.');
  const { startEmbeddedMongo } = embedded;
  const user = { name: 'backup', password: randomBytes(24).toString('base64url') };
  const server = await startEmbeddedMongo({ port: 0, dataDir: folder, users: [user], ttlSweepMs: NEVER_MS });
  const gone = () => rm(folder, { recursive: true, force: true });
  try {
    const client = await connect(`mongodb://backup:${user.password}@127.0.0.1:${server.port}/?authSource=admin`);
    const close = async () => {
      await client.close();
      await server.close();
      await gone();
    };
    return { client, instant, how: 'one copy of the embedded store', close };
  } catch (error) {
    await server.close();
    await gone();
    throw error;
  }
}

async function sessionOf(client: mongo.MongoClient, instant: string) {
  const { setName, msg } = await client.db('admin').command({ hello: 1 });
  if (setName === undefined && msg !== 'isdbgrid')
    throw new StartError('this MongoDB is not a replica set. A consistent export needs its snapshots.');
  const session = client.startSession({ snapshot: true });
  const close = async () => {
    await session.endSession();
    await client.close();
  };
  return { client, session, instant, how: 'one snapshot session of MongoDB', close };
}

/** Adds advice to a store error, for the user who exports. */
export function withAdvice(error: unknown): unknown {
  if (!SNAPSHOT_GONE.includes(Number((error as mongo.MongoServerError).code))) return error;
  return new StartError(
    'MongoDB dropped the snapshot during the export: raise its minSnapshotHistoryWindowInSeconds, then export again.',
  );
}
