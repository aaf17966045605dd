import type { AnyCollection, Backfill, DataPlan, IndexPlan } from '../collection.js';
import { IDEMPOTENCY_KEYS } from '../idempotency.js';
import { RATE_WINDOWS } from '../rate-limit.js';
import { SWITCHES_KEPT } from '../switches-store.js';

/** Collections that every service stores and migrates. */
const KIT: DataPlan = [IDEMPOTENCY_KEYS, RATE_WINDOWS, SWITCHES_KEPT];

/** All collections of a service's database. */
export const withKit = (data: DataPlan): DataPlan => [...KIT, ...data];

/** Returns an index's name: `userId_1_seq_-1`. */
export function indexName({ key }: IndexPlan): string {
  return Object.entries(key)
    .map(([field, direction]) => `${field}_${direction}`)
    .join('_');
}

/** Id of a backfill's state, beside those of the collections. */
export function backfillState({ name }: AnyCollection, backfill: Backfill): string {
  return `${name}:${backfill.name}`;
}

/** The schema version of this release; 1 without steps. */
export function versionOf({ schema }: AnyCollection): number {
  return schema.steps.length + 1;
}
