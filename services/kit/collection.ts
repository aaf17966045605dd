import type { EventKind } from '@cord/contracts/events/envelope';
import type { Connection, mongo } from 'mongoose';
import { type DocumentSchema, documentSchema, upgrade } from './document-schema.js';
import type { OutboxEvent } from './outbox/items.js';
import { type Versioned, type VersionedDocuments, versionedDocuments } from './versioned.js';

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

/** What the states of a service's documents are made with. */
export interface StateParts {
  store: Connection;
  /** ms since epoch. */
  nowMs: number;
}

/** What of a document's state stands in a stream that the service owns. */
interface DocumentState<D, P> {
  /** Of one stream. */
  kinds: readonly EventKind[];
  /** The events that hold all that the document's last ones held; none of one that has published nothing. */
  items(document: D, parts: StateParts & P): readonly OutboxEvent[] | Promise<readonly OutboxEvent[]>;
  /** The user was erased: nothing may stand in the stream any more. Default: the document is a tombstone, with `erased: true`. */
  isGone?(document: D): boolean;
  /** Its events are of no user, or stay when the user is erased. */
  stays?: true;
}

/** What is declared of a collection; all else follows from it. */
interface CollectionDeclaration<D extends { _id: unknown }, P> {
  name: string;
  /** One of its documents, as an error names it: `task record`. Default the collection's name. */
  document?: string;
  /** Those of an outbox come by `outbox`. */
  indexes?: readonly IndexPlan[];
  /** Its documents have an outbox (outbox/items.ts), of events, or of events and credits. */
  outbox?: 'events' | 'credits' | undefined;
  /** The document of an id that is not there yet, with seq 0n, for `versioned`. */
  empty?(id: string): D;
  /**
   * Steps between the schemas that its documents have had (document-schema.ts): every stored document is brought to the last one. Code of
   * the previous release still writes its own, so a document is upgraded when it is read, too (`read`). The ids are texts.
   */
  steps?: readonly ((stored: D) => D)[];
  /** What of its documents stands in streams. */
  states?: readonly DocumentState<D, P>[];
  /** What an erasure leaves of the document that has the user's id; null where it stays as it is. With `empty`. */
  tombstone?(document: D): D | null;
  /** Takes out what an erasure takes of a user, where that leaves no tombstone; repeatable. */
  erase?(documents: mongo.Collection<D>, userId: string, store: Connection): Promise<unknown>;
  /** What is made once of its documents. */
  backfills?: readonly Backfill[];
  /** Names of indexes that neither this release nor the one before reads by: they go. */
  gone?: readonly string[];
  /** Neither this release nor the one before uses the collection: it is dropped. */
  dropped?: true;
}

/** A collection of a service's database: the one place where it is declared. `npx cord migrate` makes it so, and nothing else does. */
export interface Collection<D extends { _id: unknown }, P = object>
  extends Omit<CollectionDeclaration<D, P>, 'erase' | 'tombstone'> {
  indexes: readonly IndexPlan[];
  schema: DocumentSchema<D>;
  /** The documents as the driver has them. */
  in(store: Connection): mongo.Collection<D>;
  /** Erases a user from it; repeatable. */
  erase(store: Connection, userId: string): Promise<unknown>;
  /** A stored document as this release has it. @throws Problem 503 for a schema that only a newer release has */
  read(stored: D): D;
  /** The documents, changed by compare-and-set; of a collection with `empty`. */
  versioned(store: Connection): D extends Versioned ? VersionedDocuments<D> : never;
}

// biome-ignore lint/suspicious/noExplicitAny: a plan holds collections of many kinds of document.
export type AnyCollection = Collection<any, any>;

/** What the service stores, beside what the kit stores for every service. */
export type DataPlan = readonly AnyCollection[];

/** By which the sweeper finds what is to be delivered; of credits also the list of those that the ledger has refused. */
const OUTBOX_INDEXES = {
  events: [{ key: { dirtyAt: 1 }, sparse: true }],
  credits: [
    { key: { dirtyAt: 1 }, sparse: true },
    { key: { parkedAt: 1 }, sparse: true },
  ],
} as const satisfies Record<string, readonly IndexPlan[]>;

/** Declares a collection. The data map has a row for each field of its document's type (services/data-map.md). */
export function collection<D extends { _id: unknown }, P = object>(
  declared: CollectionDeclaration<D, P>,
): Collection<D, P> {
  const { name, document = name, indexes = [], outbox, steps = [], tombstone, erase, ...more } = declared;
  const schema = documentSchema<D>(document, ...steps);
  const read = (stored: D) => upgrade(stored, schema);
  const inStore = (store: Connection) => store.collection(name) as unknown as mongo.Collection<D>;
  const none = (): never => {
    throw new TypeError(`${name} is declared without an empty document`);
  };
  const versioned = (store: Connection) =>
    versionedDocuments<D & Versioned>(inStore(store) as never, (declared.empty ?? none) as never, read as never);
  return {
    ...more,
    name,
    outbox,
    indexes: [...(outbox ? OUTBOX_INDEXES[outbox] : []), ...indexes],
    schema,
    in: inStore,
    read,
    async erase(store, userId) {
      if (erase) return erase(inStore(store), userId, store);
      if (!tombstone) return;
      await versioned(store).update(userId, (document) => tombstone(document) as (D & Versioned) | null);
    },
    versioned: versioned as never,
  };
}
