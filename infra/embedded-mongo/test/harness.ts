import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { afterAll, beforeAll } from 'vitest';
import { startEmbeddedMongo } from '../index.js';

export const { BSON, MongoClient } = mongoose.mongo;
export type Client = InstanceType<typeof MongoClient>;
export type Db = ReturnType<Client['db']>;
export type Collection = ReturnType<Db['collection']>;

/** With MONGODB_URI the suite runs on that server (a real replica set), else on an embedded one in a folder of its own. */
export const isEmbedded = process.env.MONGODB_URI === undefined;

export interface Bench {
  client: Client;
  db: Db;
  uri: string;
  /** A collection of a name never used before. */
  fresh: (documents?: object[]) => Promise<Collection>;
  warnings: string[];
}

let folders = 0;

/** Starts the server of a test file once and drops its database at the end. */
export function useServer(options: { maxPoolSize?: number; ttlSweepMs?: number } = {}): Bench {
  const bench = { warnings: [] as string[] } as Bench;
  let stop: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const server = await start(bench.warnings, options.ttlSweepMs);
    bench.uri = server.uri;
    bench.client = await MongoClient.connect(server.uri, {
      maxPoolSize: options.maxPoolSize ?? 70,
      ignoreUndefined: false,
    });
    bench.db = bench.client.db(`conformance_${process.pid}_${Date.now()}`);
    bench.fresh = async (documents = []) => {
      const collection = bench.db.collection(`c${folders++}`);
      if (documents.length > 0) await collection.insertMany(documents as never[], { ignoreUndefined: true });
      return collection;
    };
    stop = async () => {
      await bench.db.dropDatabase();
      await bench.client.close();
      await server.close();
    };
  });
  afterAll(() => stop());
  return bench;
}

async function start(
  warnings: string[],
  ttlSweepMs: number | undefined,
): Promise<{ uri: string; close: () => Promise<void> }> {
  if (process.env.MONGODB_URI !== undefined) return { uri: process.env.MONGODB_URI, close: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
  const server = await startEmbeddedMongo({
    port: 0,
    dataDir,
    warn: (message) => warnings.push(message),
    ...(ttlSweepMs === undefined ? {} : { ttlSweepMs }),
  });
  return {
    uri: server.uri,
    close: async () => {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The code (and what belongs to it) of the error that a promise ends in. */
export async function codeOf(promise: Promise<unknown>): Promise<number | string> {
  const error = await promise.then(
    () => undefined,
    (reason: { code?: number; message: string }) => reason,
  );
  if (error === undefined) return 'no error';
  return error.code ?? error.message;
}

/** Ids in the order found. */
export async function ids(found: { toArray: () => Promise<{ _id: unknown }[]> }): Promise<unknown[]> {
  return (await found.toArray()).map(({ _id }) => _id);
}
