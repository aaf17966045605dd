import type { Connection, mongo } from 'mongoose';
import { OUTBOX_ITEMS_MAX, RELAY_IN_FLIGHT_MAX, RELAY_QUEUE_MAX, RELAY_ROUNDS_MAX } from './bounds.js';
import type { Caused } from './cause.js';
import type { Clock } from './clock.js';
import type { SharedLeases } from './lease.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { giveOut } from './nats/give-out.js';
import type { Nats } from './nats.js';
import { measureOutbox } from './outbox/figures.js';
import { createSweeper } from './outbox/sweeper.js';
import { unavailable } from './problem.js';
import { recentOf } from './republish/recent.js';
import { createSlots } from './slots.js';

/** An event that its document has not given out yet, with the request that it comes of. */
export interface OutboxItem extends Caused {
  /** Message id of the event and name of the slot: unique per stream, prefixed by the stream's thing. */
  key: string;
  /** Version of the document that wrote it; an overwritten slot has the same key and a higher seq. */
  seq: bigint | number;
  subject: string;
  /** The event, fit for JSON. */
  payload: Record<string, unknown>;
}

/** What a document needs for the relay: an `outbox` and, while it is not empty, `dirtyAt` in ms since epoch. */
export interface OutboxDocument {
  _id: string;
  outbox?: OutboxItem[];
  dirtyAt?: number;
}

export interface RelayOptions<D extends OutboxDocument> {
  /** Name of the relay, its leases and figures: the collection's, unless said otherwise. */
  name?: string;
  store: Connection;
  collection: string;
  nats: Nats;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics;
  /** Runs before each publish and must be repeatable: mining upserts the ledger entry here. */
  beforePublish?: (document: D, item: OutboxItem) => Promise<void>;
}

export interface Relay {
  /**
   * Gives out a document's events at once; resolves when done, or when left to the sweeper. Never throws: what fails
   * here stays in the outbox. Calls for one document that is waiting fall together.
   */
  relayNow(id: string): Promise<void>;
  /** One sweep over what is older than five seconds. @returns how many documents were relayed */
  sweepOnce(): Promise<number>;
  /** Sweeps every second, and when the clock was moved. */
  start(): void;
  /** Ends the sweeps and awaits what is being relayed. */
  stop(): Promise<void>;
}

/**
 * The outbox relay (services/mining/ledger/README.md#outbox-and-relay): events leave their document in the order publish with message id, then
 * pull by {key, seq}; dirtyAt goes with the last pull. A crash in between publishes twice, which the message id and the
 * event's seq make harmless.
 */
export function createRelay<D extends OutboxDocument>(options: RelayOptions<D>): Relay {
  const { store, nats, clock, log } = options;
  const name = options.name ?? options.collection;
  const relayed = options.metrics?.counter('cord_outbox_relayed_total');
  const waiting = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  const slots = createSlots(RELAY_IN_FLIGHT_MAX);
  const documents = (): mongo.Collection<OutboxDocument> => store.collection<OutboxDocument>(options.collection);
  const recent = recentOf(store);

  if (options.metrics) measureOutbox(options.metrics, { name, documents, clock });

  /** One read and its publishes. @returns whether the outbox is empty now */
  const round = async (id: string): Promise<boolean> => {
    const document = (await documents().findOne({ _id: id })) as D | null;
    const items = document?.outbox ?? [];
    if (!document) return true;
    if (items.length === 0) {
      if (typeof document.dirtyAt === 'number') await takeMark(documents(), id);
      return true;
    }
    for (const item of items) {
      await options.beforePublish?.(document, item);
      await giveOut(nats, { ...item, msgId: `${item.key}:${item.seq}` });
    }
    await recent.note(options.collection, id);
    relayed?.inc({ outbox: name }, items.length);
    return pullPublished(documents(), id, items);
  };
  /** @throws whatever stopped it */
  const relay = async (id: string): Promise<void> => {
    for (let rounds = 0; rounds < RELAY_ROUNDS_MAX; rounds++) {
      if (await round(id)) return;
    }
  };
  const relayQuietly = async (id: string): Promise<void> => {
    // From here on the document is read: a later call must not fall together with this one.
    waiting.delete(id);
    try {
      await relay(id);
    } catch (err) {
      log.debug({ err, outbox: name, id }, 'left to the sweeper');
    }
  };

  const sweeper = createSweeper({
    name: `outbox.${name}`,
    mark: 'dirtyAt',
    documents,
    clock,
    leases: options.leases,
    log,
    metrics: options.metrics,
    async deliver(id) {
      await relay(id);
      return 1;
    },
    isUp: () => nats.connected(),
  });
  return {
    relayNow(id) {
      const known = waiting.get(id);
      if (known) return known;
      if (waiting.size >= RELAY_QUEUE_MAX || !nats.connected()) return Promise.resolve();
      const done = Promise.resolve().then(() => slots.run(() => relayQuietly(id)));
      waiting.set(id, done);
      running.add(done);
      void done.then(() => running.delete(done));
      return done;
    },
    sweepOnce: sweeper.sweepOnce,
    start: sweeper.start,
    async stop() {
      await sweeper.stop();
      await Promise.all(running);
    },
  };
}

/**
 * Adds an event to a document's outbox, in memory; a slot of the same key is overwritten. The caller writes the result
 * by its compare-and-set, with `dirtyAt` set.
 * @throws Problem 503 when the outbox is full: the same key is to be tried again
 */
export function addToOutbox(outbox: readonly OutboxItem[], item: OutboxItem): OutboxItem[] {
  const others = outbox.filter(({ key }) => key !== item.key);
  if (others.length >= OUTBOX_ITEMS_MAX) throw unavailable('outbox-full', 'Please try again in a moment.', 2);
  return [...others, item];
}

/** Takes a dirty mark away that stands for nothing, so that no sweep finds it again. */
async function takeMark(documents: mongo.Collection<OutboxDocument>, id: string): Promise<void> {
  const empty = { $or: [{ outbox: { $size: 0 } }, { outbox: { $exists: false } }] } as mongo.Filter<OutboxDocument>;
  await documents.updateOne({ ...empty, _id: id }, { $unset: { dirtyAt: '' } });
}

/** A document with nothing to tell: what erasure leaves (services/README.md#erasure). */
export function withoutOutbox<D extends { outbox?: unknown; dirtyAt?: unknown }>({
  outbox: _outbox,
  dirtyAt: _dirtyAt,
  ...document
}: D): Omit<D, 'outbox' | 'dirtyAt'> {
  return document;
}

/**
 * Takes published items out, each by {key, seq}; dirtyAt goes in the same step as the last one when nothing else is
 * there. @returns whether the outbox is empty
 */
async function pullPublished(
  documents: mongo.Collection<OutboxDocument>,
  id: string,
  items: readonly OutboxItem[],
): Promise<boolean> {
  const pulls = items.map(({ key, seq }) => ({ outbox: { key, seq } }) as { outbox: OutboxItem });
  const last = pulls.at(-1);
  if (!last) return true;
  const { key, seq } = last.outbox;
  const written = await documents.bulkWrite([
    ...pulls.slice(0, -1).map((pull) => ({ updateOne: { filter: { _id: id }, update: { $pull: pull } } })),
    {
      updateOne: {
        filter: { _id: id, outbox: { $size: 1 }, 'outbox.key': key, 'outbox.seq': seq },
        update: { $pull: last, $unset: { dirtyAt: '' } },
      },
    },
  ]);
  if (written.matchedCount === items.length) return true;
  await documents.updateOne({ _id: id }, { $pull: last });
  return false;
}
