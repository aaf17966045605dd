import { ERASED_USER } from '@cord/contracts/rpc/ledger';
import type { Connection } from 'mongoose';
import pLimit from 'p-limit';
import { RELAY_IN_FLIGHT_MAX, RELAY_QUEUE_MAX, RELAY_ROUNDS_MAX } from './bounds.js';
import { currentCause, runWithCause } from './cause.js';
import type { Clock } from './clock.js';
import { documentSchema, upgrade } from './document-schema.js';
import type { SharedLeases } from './lease.js';
import { type CreditResult, type LedgerClient, LedgerUnavailable } from './ledger-client.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { publishOrDeadLetter } from './nats/publish-or-dead-letter.js';
import type { Nats } from './nats.js';
import { outboxDocuments } from './outbox/documents.js';
import { measureOutbox, measureParked } from './outbox/figures.js';
import { isCredit, isEvent, type OutboxCredit, type OutboxDocument, type OutboxEvent } from './outbox/items.js';
import { createSweeper } from './outbox/sweeper.js';
import { Problem } from './problem.js';
import { purgeSubject } from './purge.js';
import { recentOf } from './republish/recent.js';

export interface OutboxOptions<D extends OutboxDocument> {
  collection: string;
  store: Connection;
  nats: Nats;
  /** Needed for collections with credits; their parked ones are listed and counted. */
  ledger?: LedgerClient;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics;
  /** Documents per batch of a sweep. */
  batch?: number;
  /** Runs before each publish; must be repeatable. @throws to keep the event in the outbox */
  beforePublish?: (document: D, item: OutboxEvent) => Promise<void>;
  /** Runs after the ledger has a credit and before it leaves the outbox; must be repeatable. */
  onCredited?: (id: string, credit: OutboxCredit) => Promise<void>;
}

/** The outbox of one collection's documents. */
export type Outbox = ReturnType<typeof createOutbox>;

/** Schemas of credits in an outbox. */
const CREDIT = documentSchema<OutboxCredit>('credit in an outbox');

/** Fields that an erasure changes in a document that it keeps. */
interface OfUser {
  userId?: string;
  erased?: boolean;
}

/** Some credits of a document are still pending. */
class CreditsPending extends Error {}

/** Outcome of one credit. `ended`: the user was erased, so nothing is owed. */
type Outcome = { credited: CreditResult } | 'pending' | 'parked' | 'ended';

/**
 * Delivers the contents of documents' outboxes, whatever crashes in between (services/README.md#consistency). An event is published
 * with its message id, then removed by {key, seq}. A credit goes to the ledger, then `onCredited` runs, then it is removed by key.
 * The mark is removed with the last item. After a crash a step repeats without effect, because of the event's message id and seq,
 * or the credit's key. A credit that the ledger refuses permanently is parked for an admin; one of an erased user ends.
 */
export function createOutbox<D extends OutboxDocument>(options: OutboxOptions<D>) {
  const { collection: name, store, nats, ledger, clock, log, metrics } = options;
  const documents = outboxDocuments<D>(store, name);
  const waiting = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  const limit = pLimit(RELAY_IN_FLIGHT_MAX);
  const recent = recentOf(store);

  if (metrics) measureOutbox(metrics, { name, documents: documents.collection, clock });
  if (metrics && ledger) measureParked(metrics, { name, documents: documents.collection });

  const publishOne = async (document: D, item: OutboxEvent): Promise<void> => {
    await options.beforePublish?.(document, item);
    await publishOrDeadLetter(nats, { ...item, msgId: `${item.key}:${item.seq}` });
  };
  /** An erasure empties the streams once, so later events of a document that was read before it are purged too. */
  const withdrawIfErased = async (read: D & OfUser, events: readonly OutboxEvent[]): Promise<void> => {
    const stands: (D & OfUser) | null = await documents.get(read._id);
    if (stands && !stands.erased && stands.userId === read.userId) return;
    for (const { subject } of events) await purgeSubject(nats, subject);
  };
  /** Reads once and publishes. @returns whether no event is left */
  const publishOnce = async (id: string): Promise<boolean> => {
    const document = await documents.get(id);
    const events = (document?.outbox ?? []).filter(isEvent);
    if (!document) return true;
    if (events.length === 0) {
      if (document.dirtyAt !== undefined && (document.outbox ?? []).length === 0) await documents.heal(id);
      return true;
    }
    let isOut = false;
    try {
      for (const item of events) {
        await runWithCause(item.cause, () => publishOne(document, item));
      }
      await recent.note(name, id);
      isOut = await documents.takeOut(id, events);
      return isOut;
    } finally {
      if (!isOut) await withdrawIfErased(document, events);
    }
  };
  /** @throws whatever stopped it */
  const publish = async (id: string): Promise<void> => {
    for (let rounds = 0; rounds < RELAY_ROUNDS_MAX; rounds++) {
      if (await publishOnce(id)) return;
    }
  };
  const publishQuietly = async (id: string): Promise<void> => {
    // The document is read from here on: a later call must not be merged with this one.
    waiting.delete(id);
    try {
      await publish(id);
    } catch (err) {
      log.debug({ err, outbox: name, id }, 'publishing failed; the sweeper retries');
    }
  };

  const refused = async (id: string, credit: OutboxCredit, { type, message }: Problem): Promise<Outcome> => {
    if (type === ERASED_USER) {
      await documents.takeOut(id, [credit]);
      return 'ended';
    }
    log.error({ collection: name, key: credit.key, type }, 'the ledger refused a credit; parked');
    await documents.park(id, { ...credit, refusal: type, message, parkedAtMs: clock.now() });
    return 'parked';
  };
  /** @throws what the store or `onCredited` throws, and for a credit that only a newer release can read: it stays */
  const creditOne = async (id: string, stored: OutboxCredit): Promise<Outcome> => {
    const credit = upgrade(stored, CREDIT);
    if (!ledger) throw new TypeError(`${name} has a credit, but no ledger client`);
    let result: CreditResult;
    try {
      result = await ledger.credit(credit);
    } catch (err) {
      if (err instanceof Problem) return refused(id, credit, err);
      if (err instanceof LedgerUnavailable) return 'pending';
      throw err;
    }
    await options.onCredited?.(id, credit);
    await documents.takeOut(id, [credit]);
    return { credited: result };
  };
  const creditQuietly = (id: string, credit: OutboxCredit): Promise<Outcome> =>
    runWithCause(credit.cause ?? currentCause(), () =>
      creditOne(id, credit).catch((err: unknown) => {
        log.warn({ err, collection: name, key: credit.key }, 'a credit failed; the sweeper retries');
        return 'pending';
      }),
    );

  const sweeper = createSweeper({
    name: `outbox.${name}`,
    documents: documents.collection,
    clock,
    leases: options.leases,
    log,
    metrics,
    batch: options.batch,
    /** Credits do not wait for events that cannot be published, nor events for the ledger. */
    async deliver(id) {
      const failure = await publish(id).then(
        () => null,
        (err: unknown) => err ?? new Error('not published'),
      );
      const outcomes: Outcome[] = [];
      const credits = ledger ? ((await documents.get(id))?.outbox ?? []).filter(isCredit) : [];
      for (const credit of credits) outcomes.push(await creditQuietly(id, credit));
      if (failure !== null) throw failure;
      if (outcomes.includes('pending')) throw new CreditsPending();
    },
    nats,
  });
  return {
    /**
     * Publishes a document's events at once; resolves when done or left to the sweeper. Never throws: failed events stay in the
     * outbox. Concurrent calls for one waiting document are merged.
     */
    relayNow(id: string) {
      const known = waiting.get(id);
      if (known) return known;
      if (waiting.size >= RELAY_QUEUE_MAX || !nats.connected()) return Promise.resolve();
      // One tick later, so that concurrent calls are merged.
      const done = Promise.resolve().then(() => limit(() => publishQuietly(id)));
      waiting.set(id, done);
      running.add(done);
      void done.then(() => running.delete(done));
      return done;
    },
    /**
     * Makes a document's credit at once.
     * @returns null when the ledger did not respond in time or the sweeper takes over: the caller responds pending
     */
    async settle(id: string, credit: OutboxCredit) {
      const outcome = await creditQuietly(id, credit);
      return typeof outcome === 'object' ? outcome.credited : null;
    },
    /** Sweeps one batch of items older than five seconds. @returns number of fully delivered documents */
    sweepOnce: sweeper.sweepOnce,
    /** Credits that the ledger has permanently refused, longest parked first, from a cursor on, at least `limit` if available. */
    parked: documents.parked,
    /**
     * Retries a parked credit with the same key and amount.
     * @returns null when none is parked under the key
     */
    async retryParked(key: string): Promise<'credited' | 'pending' | 'parked' | null> {
      const found = await documents.unpark(key, clock.now());
      if (!found) return null;
      const outcome = await creditQuietly(found.id, found.credit);
      if (typeof outcome === 'object') return 'credited';
      // An ended credit is no longer parked either.
      return outcome === 'ended' ? null : outcome;
    },
    /** Sweeps every second while a mark is due, as soon as the next one can be due, and when the clock was moved. */
    start: sweeper.start,
    /** Ends the sweeps and awaits running publishes. */
    async stop() {
      await sweeper.stop();
      await Promise.all(running);
    },
  };
}
