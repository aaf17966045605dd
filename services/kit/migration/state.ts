import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { MIGRATION_LOOK_MS, START_LOG_EVERY_MS } from '../bounds.js';
import type { AnyCollection, DataPlan } from '../collection.js';
import type { Log } from '../log.js';
import { IMPORT_AGAIN, isHalfImported } from './half-import.js';
import { backfillState, indexName, versionOf } from './plan.js';

/** How far a collection is. */
export interface MigrationState {
  /** The collection, or a backfill of it. */
  _id: string;
  /** Every document is of this schema, or was when the migration passed it; of a backfill 2 when it is through. */
  version: number;
  /** Id of the last document that is; absent while no migration is under way. */
  place?: string;
  /** Indexes that are made, and that are gone, by name. */
  indexes: string[];
  gone: string[];
}

const STATES = 'schema';
/** Version of a backfill that is through. */
export const FILLED = 2;

/** How far the collections of a database are. */
export const statesOf = (store: Connection) => store.collection<MigrationState>(STATES);

/** The same by their ids, as they are now. */
export async function readStates(store: Connection): Promise<ReadonlyMap<string, MigrationState>> {
  return new Map((await statesOf(store).find({}).toArray()).map((state) => [state._id, state]));
}

/**
 * What a database lacks for this release's code, by name; nothing once `npx cord migrate` is through.
 * @returns `members lacks index code_1`, `facts is of schema 1, not 2`
 */
export async function missingIn(store: Connection, plan: DataPlan): Promise<string[]> {
  const states = await readStates(store);
  return plan.flatMap((collection) => [
    ...lackOf(collection, states.get(collection.name)),
    ...(collection.backfills ?? []).flatMap((backfill) => {
      const done = (states.get(backfillState(collection, backfill))?.version ?? 1) >= FILLED;
      return done ? [] : [`${collection.name} lacks its backfill ${backfill.name}`];
    }),
  ]);
}

function lackOf(collection: AnyCollection, state: MigrationState | undefined): string[] {
  const { name, indexes } = collection;
  const lack = indexes.map(indexName).filter((index) => !state?.indexes.includes(index));
  const [version, needed] = [state?.version ?? 1, versionOf(collection)];
  return [
    ...lack.map((index) => `${name} lacks index ${index}`),
    ...(version < needed ? [`${name} is of schema ${version}, not ${needed}`] : []),
  ];
}

/** What keeps a service from working on its database. */
async function wantingIn(store: Connection, plan: DataPlan): Promise<string[]> {
  return (await isHalfImported(store)) ? [IMPORT_AGAIN] : missingIn(store, plan);
}

/**
 * Waits until the database is as this release needs it, and whole. A service never makes it so itself: of many replicas that start at
 * once each would, and a start would take as long as the largest collection.
 * @throws the signal's reason when stopped while waiting
 */
export async function awaitMigration(
  store: Connection,
  plan: DataPlan,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  for (let loggedAtMs = Number.NEGATIVE_INFINITY; ; ) {
    const missing = await wantingIn(store, plan).catch((err: unknown) => [`the store does not answer: ${String(err)}`]);
    if (missing.length === 0) return;
    if (performance.now() - loggedAtMs >= START_LOG_EVERY_MS) {
      loggedAtMs = performance.now();
      const what = missing[0] === IMPORT_AGAIN ? 'a whole import' : 'npx cord migrate';
      log.warn({ missing }, `waiting for ${what}: ${missing[0]}, ${missing.length} in all`);
    }
    await sleep(MIGRATION_LOOK_MS, undefined, { signal });
  }
}
