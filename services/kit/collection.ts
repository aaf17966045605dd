import type { EventKind } from '@cord/contracts/events/envelope';
import type { Connection, mongo } from 'mongoose';
import { type DocumentSchema, documentSchema, upgrade } from './document-schema.js';
import type { OutboxEvent } from './outbox/items.js';
import { type Versioned, type VersionedDocuments, versionedDocuments } from './versioned.js';

/** An index; its name is the store's default, made from its key. */
export interface IndexPlan {
  key: Readonly<Record<string, 1 | -1>>;
  unique?: true;
  sparse?: true;
  expireAfterSeconds?: number;
  partialFilterExpression?: Readonly<Record<string, unknown>>;
}

/** Derives other documents from each document of a collection, for a release that maintains them from then on. */
export interface Backfill {
  /** Permanent name in the database's state: `days-of-entries`. */
  name: string;
  /** Creates what is missing and overwrites nothing; repeatable, because it may stop anywhere. Ids are texts. */
  each(store: Connection, document: { _id: string }, hold: () => Promise<void>): Promise<void>;
}

/** The inputs of a document's state. */
export interface StateParts {
  store: Connection;
  /** ms since epoch. */
  nowMs: number;
}

/** How a document's state appears in a stream that the service owns. */
interface DocumentState<D, P> {
  /** Kinds of one stream. */
  kinds: readonly EventKind[];
  /** Returns events with everything that the document's last ones held; none if it has published nothing. */
  items(document: D, parts: StateParts & P): readonly OutboxEvent[] | Promise<readonly OutboxEvent[]>;
  /** Whether the user was erased, so that nothing may stay in the stream. Default: the document is a tombstone, with `erased: true`. */
  isGone?(document: D): boolean;
  /** Its events belong to no user, or stay when the user is erased. */
  stays?: true;
}

/** The declaration of a collection; everything else follows from it. */
interface CollectionDeclaration<D extends { _id: unknown }, P> {
  name: string;
  /** Name of one document in errors: `task record`. Default: the collection's name. */
  document?: string;
  /** Without those of an outbox, which `outbox` adds. */
  indexes?: readonly IndexPlan[];
  /** The documents have an outbox (outbox/items.ts), of events, or of events and credits. */
  outbox?: 'events' | 'credits' | undefined;
  /** Returns a new document for an id, with seq 0n, for `versioned`. */
  empty?(id: string): D;
  /**
   * Steps between the documents' schemas (document-schema.ts): a migration brings every stored document to the last one. The previous
   * release still writes its own, so documents are also upgraded when read (`read`). Ids are texts.
   */
  steps?: readonly ((stored: D) => D)[];
  /** How the documents' state appears in streams. */
  states?: readonly DocumentState<D, P>[];
  /** Returns the tombstone that an erasure leaves of the user's document; null to leave it unchanged. Needs `empty`. */
  tombstone?(document: D): D | null;
  /** Deletes a user's data where no tombstone does; repeatable. */
  erase?(documents: mongo.Collection<D>, userId: string, store: Connection): Promise<unknown>;
  /** One-time derivations from its documents. */
  backfills?: readonly Backfill[];
  /** Names of indexes that neither this release nor the previous one uses; they are dropped. */
  gone?: readonly string[];
  /** Neither this release nor the previous one uses the collection; it is dropped. */
  dropped?: true;
}

/** A collection of a service's database, declared in one place. Only `npx cord migrate` changes the database to match. */
export interface Collection<D extends { _id: unknown }, P = object>
  extends Omit<CollectionDeclaration<D, P>, 'erase' | 'tombstone'> {
  indexes: readonly IndexPlan[];
  schema: DocumentSchema<D>;
  /** Returns the driver's collection. */
  in(store: Connection): mongo.Collection<D>;
  /** Erases a user from the collection; repeatable. */
  erase(store: Connection, userId: string): Promise<unknown>;
  /** Upgrades a stored document to this release's schema. @throws Problem 503 for a schema that only a newer release knows */
  read(stored: D): D;
  /** Returns the documents for compare-and-set changes; needs `empty`. */
  versioned(store: Connection): D extends Versioned ? VersionedDocuments<D> : never;
}

// biome-ignore lint/suspicious/noExplicitAny: a plan holds collections of many kinds of document.
export type AnyCollection = Collection<any, any>;

/** The collections of a service, beside those that the kit stores for every service. */
export type DataPlan = readonly AnyCollection[];

/** Indexes for the sweeper; with credits also for the list of those that the ledger has refused. */
const OUTBOX_INDEXES = {
  events: [{ key: { dirtyAt: 1 }, sparse: true }],
  credits: [
    { key: { dirtyAt: 1 }, sparse: true },
    { key: { parkedAt: 1 }, sparse: true },
  ],
} as const satisfies Record<string, readonly IndexPlan[]>;

/** Declares a collection. The data map has a row per field of its document's type (services/data-map.md). */
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
