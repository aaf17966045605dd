import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { MIGRATION_LOOK_MS, START_LOG_EVERY_MS } from '../bounds.js';
import type { AnyCollection, DataPlan } from '../collection.js';
import type { Log } from '../log.js';
import { IMPORT_AGAIN, isHalfImported } from './half-import.js';
import { backfillState, indexName, versionOf } from './plan.js';

/** Migration progress of a collection. */
export interface MigrationState {
  /** The collection, or a backfill of it. */
  _id: string;
  /** Every document had this schema when the migration passed it; for a backfill 2 when it is done. */
  version: number;
  /** Id of the last migrated document; absent while no migration runs. */
  place?: string;
  /** Names of created indexes (`indexes`) and of dropped ones (`gone`). */
  indexes: string[];
  gone: string[];
}

const STATES = 'schema';
/** Version of a completed backfill. */
export const FILLED = 2;

/** Migration progress of a database's collections. */
export const statesOf = (store: Connection) => store.collection<MigrationState>(STATES);

/** The same by id, as of now. */
export async function readStates(store: Connection): Promise<ReadonlyMap<string, MigrationState>> {
  return new Map((await statesOf(store).find({}).toArray()).map((state) => [state._id, state]));
}

/**
 * Returns what a database lacks for this release; empty after `npx cord migrate`.
 * @returns `members lacks index code_1`, `facts has schema 1, not 2`
 */
export async function missingMigrations(store: Connection, plan: DataPlan): Promise<string[]> {
  const states = await readStates(store);
  return plan.flatMap((collection) => [
    ...missingParts(collection, states.get(collection.name)),
    ...(collection.backfills ?? []).flatMap((backfill) => {
      const done = (states.get(backfillState(collection, backfill))?.version ?? 1) >= FILLED;
      return done ? [] : [`${collection.name} lacks its backfill ${backfill.name}`];
    }),
  ]);
}

function missingParts(collection: AnyCollection, state: MigrationState | undefined): string[] {
  const { name, indexes } = collection;
  const lack = indexes.map(indexName).filter((index) => !state?.indexes.includes(index));
  const [version, needed] = [state?.version ?? 1, versionOf(collection)];
  return [
    ...lack.map((index) => `${name} lacks index ${index}`),
    ...(version < needed ? [`${name} has schema ${version}, not ${needed}`] : []),
  ];
}

/** Returns what keeps a service from using its database. */
async function startBlockers(store: Connection, plan: DataPlan): Promise<string[]> {
  return (await isHalfImported(store)) ? [IMPORT_AGAIN] : missingMigrations(store, plan);
}

/**
 * Waits until the database is migrated and complete. A service never migrates by itself: each of many starting replicas would, and a
 * start would take as long as the largest collection.
 * @throws the signal's reason when stopped while waiting
 */
export async function awaitMigration(
  store: Connection,
  plan: DataPlan,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  for (let loggedAtMs = Number.NEGATIVE_INFINITY; ; ) {
    const missing = await startBlockers(store, plan).catch((err: unknown) => [
      `the store does not respond: ${String(err)}`,
    ]);
    if (missing.length === 0) return;
    if (performance.now() - loggedAtMs >= START_LOG_EVERY_MS) {
      loggedAtMs = performance.now();
      const what = missing[0] === IMPORT_AGAIN ? 'a complete import' : 'npx cord migrate';
      log.warn({ missing }, `waiting for ${what}: ${missing[0]}, ${missing.length} in all`);
    }
    await sleep(MIGRATION_LOOK_MS, undefined, { signal });
  }
}
