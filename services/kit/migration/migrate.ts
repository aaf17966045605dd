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
import { type MigrationState, missingMigrations, readStates, statesOf } from './state.js';

const LEASE = 'migration';
/** The store's errors for a missing collection or index. */
const NOT_FOUND_CODES: readonly unknown[] = [26, 27];

/** Connection options of a migration: heartbeats detect a dead store and end its command. */
export const MIGRATING = { socketTimeoutMS: 0 } satisfies ConnectOptions;

interface MigrateOptions {
  /** Documents between two recorded positions. */
  batch?: number;
  /** Runs for each completed step. */
  report?: (line: string) => void;
  /** Runs before each write; an error ends the migration there, as a crash would. */
  atEach?: () => void | Promise<void>;
  clock?: Clock;
  /** Interval of renewing the lease while it works, ms. */
  renewMs?: number;
  /** Set by the import, which migrates the data it has brought; nothing else touches a partial import. */
  importing?: boolean;
}

/**
 * Brings a database to this release: first indexes (expand), then documents in batches, each by compare-and-set on its schema, then
 * backfills, with the position recorded after each batch; last it drops what no query uses any more. One process works at a time, under a
 * lease; after a crash the next one continues. The previous release may run meanwhile.
 * @param store without a socket timeout (MIGRATING): the store sends nothing while it builds an index
 * @returns number of changed documents
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
  // One store command may take hours. The next hold notices a lost lease.
  const renew = async (signal: AbortSignal) => {
    for (;;) {
      await sleep(renewMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await leases.acquire(LEASE, MIGRATION_LEASE_MS).catch(() => undefined);
    }
  };
  const walk = documentWalk(store, { batch, hold, onChanged: () => (changed += 1) });
  for (;;) {
    if ((await missingMigrations(store, plan)).length === 0 && (await staleIn(store, plan)).length === 0)
      return changed;
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
        if (await walk.toSchema(collection)) report(`${collection.name}: documents migrated to the last schema`);
        for (const backfill of collection.backfills ?? [])
          if (await walk.fill(collection, backfill)) report(`${collection.name}: ${backfill.name} is done`);
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

/** This migration was too slow and another took over: it waits until that one is done. */
class LeaseLost extends Error {}

/** Creates a collection's unrecorded indexes in one command; existing ones are only recorded. */
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

/** Returns collections with leftovers that no query uses. */
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
    await ignoreMissing(store.collection(name).dropIndex(index));
    await note(store, name, { $addToSet: { gone: index } }, hold);
    report(`${name}: index ${index} dropped`);
  }
  if (!dropped) return;
  await hold();
  await ignoreMissing(store.dropCollection(name));
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

async function ignoreMissing(dropping: Promise<unknown>): Promise<void> {
  await dropping.catch((error: { code?: unknown }) => {
    if (!NOT_FOUND_CODES.includes(error.code)) throw error;
  });
}
