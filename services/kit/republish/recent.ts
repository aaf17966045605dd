import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { RECENT_WRITE_EVERY_MS } from '../bounds.js';

/** Documents whose events were published in one write interval, in the service's own store. */
interface RecentWrite {
  /** Time, so that the oldest sort first, and a random part. */
  _id: string;
  documents: { collection: string; ids: string[] }[];
}

/** Recently published documents: a NATS server may have acknowledged and lost their events. */
interface Recent {
  /** Records these collections from now on, and no others. */
  watch(collections: readonly string[]): void;
  /**
   * Resolves once the store records that a document has published its events. Only then may they leave the outbox: after a crash in between they are published once
   * more. Documents within `RECENT_WRITE_EVERY_MS` share one write, so that writes do not grow with documents; the interval is short, because a relay waits for it.
   * @throws the store's error
   */
  note(collection: string, id: string): Promise<void>;
  /** Returns the recorded documents, by collection. */
  all(): Promise<Map<string, string[]>>;
  /** Deletes records from before a time, ms since epoch by this machine's own clock. */
  forget(beforeMs: number): Promise<void>;
}

const ofStore = new WeakMap<Connection, Recent>();

/** Returns the records of a store: one instance per connection, shared by its relays and its republisher. */
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
  /** Documents join until the previous write is done and this write's turn comes. */
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
