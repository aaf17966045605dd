import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, ConnectOptions } from 'mongoose';
import { MIGRATION_BATCH, MIGRATION_LEASE_MS, MIGRATION_LOOK_MS, MIGRATION_RENEW_MS } from '../bounds.js';
import { type Clock, systemClock } from '../clock.js';
import type { AnyCollection, DataPlan } from '../collection.js';
import { createLeases } from '../lease.js';
import { documentWalk } from './document-walk.js';
import { HalfImported, isHalfImported } from './half-import.js';
import { indexName } from './plan.js';
import { type MigrationState, missingIn, readStates, statesOf } from './state.js';

const LEASE = 'migration';
/** The error of the store for an index or a collection that is not there. */
const NOT_THERE: readonly unknown[] = [26, 27];

/** How a migration connects: what is dead shows in heartbeats, which end its command as well. */
export const MIGRATING = { socketTimeoutMS: 0 } satisfies ConnectOptions;

interface MigrateOptions {
  /** Documents between two places that are noted. */
  batch?: number;
  /** Called for each thing that was done. */
  report?: (line: string) => void;
  /** Before each write; what it throws ends the migration where it is, as a crash would. */
  atEach?: () => void | Promise<void>;
  clock?: Clock;
  /** How often the lease is looked at while it works, ms. */
  renewMs?: number;
  /** The import itself migrates what it has brought; no other touches half of one. */
  importing?: boolean;
}

/**
 * Brings a database to what this release needs: indexes first (expand), then documents in batches, each by compare-and-set on
 * its schema, then what is made of them, the place noted after the batch; last goes what no query reads by any more. One at a time works, under a lease; broken
 * off anywhere, the next goes on. The code of the release before may run meanwhile.
 * @param store without a socket timeout (MIGRATING): the store sends nothing while it builds an index
 * @returns how many documents were changed
 * @throws HalfImported, with nothing touched
 */
export async function migrate(store: Connection, plan: DataPlan, options: MigrateOptions = {}): Promise<number> {
  const {
    batch = MIGRATION_BATCH,
    report = () => undefined,
    atEach = () => undefined,
    clock = systemClock(),
    renewMs = MIGRATION_RENEW_MS,
  } = options;
  if (!options.importing && (await isHalfImported(store))) throw new HalfImported();
  const leases = createLeases(store, clock, randomUUID());
  let changed = 0;
  const hold = async () => {
    await atEach();
    if (!(await leases.acquire(LEASE, MIGRATION_LEASE_MS))) throw new LeaseLost();
  };
  // The store may work at one command for hours. A lease that is lost shows at the next hold.
  const renew = async (signal: AbortSignal) => {
    for (;;) {
      await sleep(renewMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await leases.acquire(LEASE, MIGRATION_LEASE_MS).catch(() => undefined);
    }
  };
  const walk = documentWalk(store, { batch, hold, onChanged: () => (changed += 1) });
  for (;;) {
    if ((await missingIn(store, plan)).length === 0 && (await staleIn(store, plan)).length === 0) return changed;
    if (!(await leases.acquire(LEASE, MIGRATION_LEASE_MS))) {
      await sleep(MIGRATION_LOOK_MS);
      continue;
    }
    const over = new AbortController();
    const renewing = renew(over.signal);
    try {
      const states = await readStates(store);
      for (const collection of plan) await expand(store, collection, states.get(collection.name), hold, report);
      for (const collection of plan) {
        if (await walk.toSchema(collection)) report(`${collection.name}: documents are of the last schema`);
        for (const backfill of collection.backfills ?? [])
          if (await walk.fill(collection, backfill)) report(`${collection.name}: ${backfill.name} is through`);
      }
      for (const collection of await staleIn(store, plan)) await contract(store, collection, hold, report);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    } finally {
      over.abort();
      await renewing;
      await leases.releaseAll();
    }
  }
}

/** Another took the migration over, for this one was too slow: it waits until that is through. */
class LeaseLost extends Error {}

/** Makes the indexes of a collection that are not noted, by one command; one that is there already is only noted. */
async function expand(
  store: Connection,
  { name, indexes }: AnyCollection,
  state: MigrationState | undefined,
  hold: () => Promise<void>,
  report: (line: string) => void,
): Promise<void> {
  const missing = indexes.filter((index) => !state?.indexes.includes(indexName(index)));
  if (missing.length === 0) return;
  const named = missing.map(indexName);
  await hold();
  const specs = missing.map(({ key, ...options }, n) => ({ ...options, key: { ...key }, name: named[n] as string }));
  await store.collection(name).createIndexes(specs);
  await note(store, name, { $addToSet: { indexes: { $each: named } } }, hold);
  for (const index of named) report(`${name}: index ${index}`);
}

/** Collections with something left that no query reads by. */
async function staleIn(store: Connection, plan: DataPlan): Promise<AnyCollection[]> {
  const states = await readStates(store);
  return plan.filter(({ name, gone = [], dropped }) => {
    const done = states.get(name)?.gone ?? [];
    return [...gone, ...(dropped ? [name] : [])].some((one) => !done.includes(one));
  });
}

async function contract(
  store: Connection,
  { name, gone = [], dropped }: AnyCollection,
  hold: () => Promise<void>,
  report: (line: string) => void,
): Promise<void> {
  for (const index of gone) {
    await hold();
    await unlessThere(store.collection(name).dropIndex(index));
    await note(store, name, { $addToSet: { gone: index } }, hold);
    report(`${name}: index ${index} is gone`);
  }
  if (!dropped) return;
  await hold();
  await unlessThere(store.dropCollection(name));
  await note(store, name, { $addToSet: { gone: name } }, hold);
  report(`${name} is gone`);
}

async function note(
  store: Connection,
  _id: string,
  update: { $addToSet: { indexes?: { $each: string[] }; gone?: string } },
  hold: () => Promise<void>,
): Promise<void> {
  await hold();
  const [field] = Object.keys(update.$addToSet);
  const fresh = { version: 1, ...(field === 'indexes' ? { gone: [] } : { indexes: [] }) };
  await statesOf(store).updateOne({ _id }, { ...update, $setOnInsert: fresh }, { upsert: true });
}

async function unlessThere(dropping: Promise<unknown>): Promise<void> {
  await dropping.catch((error: { code?: unknown }) => {
    if (!NOT_THERE.includes(error.code)) throw error;
  });
}
