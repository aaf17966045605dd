import type { Connection } from 'mongoose';
import type { DocumentSchema } from '../document-schema.js';
import { SWITCHES_KEPT } from '../switches-kept.js';

/** An index; its name is the store's usual one, made of its key. */
export interface IndexPlan {
  key: Readonly<Record<string, 1 | -1>>;
  unique?: true;
  sparse?: true;
  expireAfterSeconds?: number;
  partialFilterExpression?: Readonly<Record<string, unknown>>;
}

/** Other documents that are made of each document of a collection, for a release that keeps them from then on by itself. */
export interface Backfill {
  /** In the state of the database, for good: `days-of-entries`. */
  name: string;
  /** Makes what is missing and overwrites nothing; repeatable, for it may be broken off anywhere. The ids are texts. */
  each(store: Connection, document: { _id: string }, hold: () => Promise<void>): Promise<void>;
}

/** What a collection is to be like before this release's code reads it. `npx cord migrate` makes it so, and nobody else. */
export interface CollectionPlan {
  name: string;
  indexes: readonly IndexPlan[];
  /**
   * The schemas that its documents have had: every stored one is brought to the last. The ids are texts. Code of the release
   * before still writes its own, so what cannot be misread is upgraded when read, too (`upgrade`).
   */
  // biome-ignore lint/suspicious/noExplicitAny: a plan holds the schemas of many kinds of document.
  schema?: DocumentSchema<any>;
  /** What is made once of its documents. */
  backfills?: readonly Backfill[];
  /** Names of indexes that neither this release nor the one before reads by: they go. */
  gone?: readonly string[];
  /** Neither this release nor the one before knows the collection any more: it goes. */
  dropped?: true;
}

/** What the service stores, beside what the kit stores for every service. */
export type DataPlan = readonly CollectionPlan[];

/** By which the sweeper finds what is to be delivered. */
export const OUTBOX_INDEXES: readonly IndexPlan[] = [{ key: { dirtyAt: 1 }, sparse: true }];

/** Of a collection whose outboxes hold credits: also the list of those that the ledger has refused. */
export const CREDIT_INDEXES: readonly IndexPlan[] = [...OUTBOX_INDEXES, { key: { parkedAt: 1 }, sparse: true }];

/** Of a service with an audit log. */
export const AUDIT_LOG: CollectionPlan = {
  name: 'audit',
  indexes: [
    ...[{}, { target: 1 }, { adminId: 1 }, { action: 1 }, { adminId: 1, action: 1 }].map((by) => ({
      key: { ...by, atMs: -1, _id: -1 } as IndexPlan['key'],
    })),
    { key: { 'detail.undoes': 1 }, sparse: true },
  ],
};

/** What every service stores: the store throws old answers and windows away, expiry itself is decided by the clock. */
const KIT: DataPlan = [
  { name: 'idempotency_keys', indexes: [{ key: { userId: 1 } }, { key: { expiresAt: 1 }, expireAfterSeconds: 0 }] },
  { name: 'rate_windows', indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }] },
  { name: SWITCHES_KEPT, indexes: [] },
];

/** The whole of a service's database. */
export const withKit = (data: DataPlan): DataPlan => [...KIT, ...data];

/** `userId_1_seq_-1` */
export function indexName({ key }: IndexPlan): string {
  return Object.entries(key)
    .map(([field, direction]) => `${field}_${direction}`)
    .join('_');
}

/** Under which the state of a backfill stands, beside those of the collections. */
export function backfillState({ name }: CollectionPlan, backfill: Backfill): string {
  return `${name}:${backfill.name}`;
}

/** The schema that this release reads and writes; 1 before any step. */
export function versionOf({ schema }: CollectionPlan): number {
  return (schema?.steps.length ?? 0) + 1;
}
