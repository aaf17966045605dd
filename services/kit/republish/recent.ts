import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { RECENT_WRITE_EVERY_MS } from '../bounds.js';

/** What left the outboxes of some documents within one write, in the service's own store. */
interface RecentWrite {
  /** When, so that the oldest come first, and something random. */
  _id: string;
  documents: { collection: string; ids: string[] }[];
}

/** Documents whose events have left their outbox lately: what a NATS server may have acknowledged and lost again. */
interface Recent {
  /** Notes are taken of these collections from now on, and of no other. */
  watch(collections: readonly string[]): void;
  /**
   * Resolves once it stands in the store that a document has given its events out. Only then may they leave the outbox: a crash in between
   * gives them out once more. Those of `RECENT_WRITE_EVERY_MS` share one write, so that writes do not grow with documents; it is short, for a relay waits for it.
   * @throws the store's error
   */
  note(collection: string, id: string): Promise<void>;
  /** The documents that are noted, by collection. */
  all(): Promise<Map<string, string[]>>;
  /** Forgets what was noted before a time, ms since epoch by this machine's own clock. */
  forget(beforeMs: number): Promise<void>;
}

const ofStore = new WeakMap<Connection, Recent>();

/** The notes of a service's store: one for each connection, which its relays and its republisher share. */
export function recentOf(store: Connection): Recent {
  const known = ofStore.get(store);
  if (known) return known;
  const recent = createRecent(store);
  ofStore.set(store, recent);
  return recent;
}

function createRecent(store: Connection): Recent {
  const writes = store.collection<RecentWrite>('recently_published');
  const watched = new Set<string>();
  let waiting: { documents: Map<string, Set<string>>; written: Promise<void> } | undefined;
  let lastWrite: Promise<void> = Promise.resolve();

  const write = async (documents: ReadonlyMap<string, ReadonlySet<string>>): Promise<void> => {
    const all = [...documents].map(([collection, ids]) => ({ collection, ids: [...ids] }));
    await writes.insertOne({ _id: keyOf(Date.now()), documents: all });
  };
  let quietUntilMs = 0;
  /** What comes until the write before is done, and until it is this write's turn, goes along. */
  const begin = () => {
    const documents = new Map<string, Set<string>>();
    const written = lastWrite
      .catch(() => undefined)
      .then(() => sleep(Math.max(0, quietUntilMs - performance.now())))
      .then(() => {
        waiting = undefined;
        quietUntilMs = performance.now() + RECENT_WRITE_EVERY_MS;
        return write(documents);
      });
    lastWrite = written;
    return { documents, written };
  };
  return {
    watch(collections) {
      for (const collection of collections) watched.add(collection);
    },
    note(collection, id) {
      if (!watched.has(collection)) return Promise.resolve();
      waiting ??= begin();
      const ids = waiting.documents.get(collection) ?? new Set();
      waiting.documents.set(collection, ids.add(id));
      return waiting.written;
    },
    async all() {
      const found = new Map<string, Set<string>>();
      for await (const { documents } of writes.find()) {
        for (const { collection, ids } of documents) {
          const known = found.get(collection) ?? new Set();
          for (const id of ids) known.add(id);
          found.set(collection, known);
        }
      }
      return new Map([...found].map(([collection, ids]) => [collection, [...ids]]));
    },
    async forget(beforeMs) {
      await writes.deleteMany({ _id: { $lt: timeOf(beforeMs) } });
    },
  };
}

const TIME_DIGITS = 15;
const timeOf = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');
const keyOf = (ms: number): string => `${timeOf(ms)}.${randomUUID()}`;
