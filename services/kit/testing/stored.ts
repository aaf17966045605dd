import type { mongo } from 'mongoose';
import type { TestBackend } from './backend.js';

/** Day sums (day-sums.ts): each process rewrites its own every few seconds. */
const DAY_SUMS = ['issued', 'claimed'];
/** Collections of transient data, rewritten whole by each holder or run: leases, limits, keys, the last response about switches, recently published documents, migration progress. */
export const PASSING: readonly string[] = [
  ...['leases', 'rate_windows', 'idempotency', 'idempotency_keys', 'schema', 'switches_kept', 'recently_published'],
  ...DAY_SUMS,
];
/** Collections that time alone may write to: transient data, snapshots, the ranks of a past day, the state of republishing. */
const WRITTEN_BY_TIME = new Set([...PASSING, 'snapshots', 'closings', 'streams']);
const REST_TRIES_MAX = 50;
const REST_MS = 200;

type Stores = Pick<TestBackend, 'storeOf'>;

/** A service's database. */
export async function databaseOf(backend: Stores, service: string): Promise<mongo.Db> {
  const { db } = await backend.storeOf(service);
  if (!db) throw new Error('no database');
  return db;
}

/** Returns everything that a service has stored, one text per document: for tests that nothing was written. */
export async function storedState(backend: Stores, service: string, except: string[] = []): Promise<string[]> {
  const db = await databaseOf(backend, service);
  const found: string[] = [];
  for (const { name } of await db.listCollections().toArray()) {
    if (WRITTEN_BY_TIME.has(name) || except.includes(name)) continue;
    for await (const document of db.collection(name).find()) {
      found.push(`${name} ${JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`);
    }
  }
  return found.sort();
}

/** The same once nothing changes any more: events and credits of the setup have arrived. */
export async function storedAtRest(backend: Stores, service: string, except: string[] = []): Promise<string[]> {
  let before = await storedState(backend, service, except);
  for (let tries = 0; tries < REST_TRIES_MAX; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const now = await storedState(backend, service, except);
    if (now.join('\n') === before.join('\n')) return now;
    before = now;
  }
  throw new Error('writes to the store do not stop');
}
