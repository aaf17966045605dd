import { createConnection } from 'mongoose';

/** Sums of days (day-sums.ts): each process writes its own whole, every few seconds. */
const DAY_SUMS = ['issued', 'claimed'];
/** Collections of what passes: leases, limits, keys, the last answer about switches, what was published lately, how far a migration is; written whole by each holder or run. */
export const PASSING: readonly string[] = [
  ...['leases', 'rate_windows', 'idempotency', 'idempotency_keys', 'schema', 'switches_kept', 'recently_published'],
  ...DAY_SUMS,
];
/** Collections in which time alone writes: what passes, snapshots, the ranks of a day that is over, where an owner is with publishing its streams. */
const WRITTEN_BY_TIME = new Set([...PASSING, 'snapshots', 'closings', 'streams']);
const REST_TRIES_MAX = 50;
const REST_MS = 200;

/** Everything a database holds, as one text per document: for tests that nothing was written. */
export async function storedState(mongodbUri: string, dbName: string, except: string[] = []): Promise<string[]> {
  const connection = createConnection(mongodbUri);
  await connection.asPromise();
  try {
    const db = connection.useDb(dbName).db;
    if (!db) throw new Error('no database');
    const found: string[] = [];
    for (const { name } of await db.listCollections().toArray()) {
      if (WRITTEN_BY_TIME.has(name) || except.includes(name)) continue;
      for await (const document of db.collection(name).find({}, { useBigInt64: true })) {
        found.push(
          `${name} ${JSON.stringify(document, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`,
        );
      }
    }
    return found.sort();
  } finally {
    await connection.destroy();
  }
}

/** The same once nothing changes any more: events and credits of the preparation have arrived. */
export async function storedAtRest(mongodbUri: string, dbName: string, except: string[] = []): Promise<string[]> {
  let before = await storedState(mongodbUri, dbName, except);
  for (let tries = 0; tries < REST_TRIES_MAX; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const now = await storedState(mongodbUri, dbName, except);
    if (now.join('\n') === before.join('\n')) return now;
    before = now;
  }
  throw new Error('the store does not come to rest');
}
