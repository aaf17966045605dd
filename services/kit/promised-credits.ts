import { ERASED_USER } from '@cord/contracts/rpc/ledger';
import type { Connection } from 'mongoose';
import { allThrough } from './batches.js';
import {
  PROMISE_RETRY_DOCUMENTS_MAX,
  PROMISE_RETRY_MS_MAX,
  PROMISE_RETRY_MS_MIN,
  SWEEP_BATCH,
  SWEEP_BATCHES_MAX,
  SWEEP_EVERY_MS,
  SWEEP_IN_FLIGHT_MAX,
  SWEEP_LEASE_MS,
  SWEEP_OLDER_THAN_MS,
  SWEEP_PARTS,
} from './bounds.js';
import { type Cause, causeOnLine } from './cause.js';
import type { Clock } from './clock.js';
import { documentSchema, upgrade } from './document-schema.js';
import type { SharedLeases } from './lease.js';
import { type CreditResult, type LedgerClient, LedgerUnavailable } from './ledger-client.js';
import type { Log } from './log.js';
import { createLru } from './lru.js';
import type { Metrics } from './metrics.js';
import { periodic, type Turn } from './periodic.js';
import { Problem } from './problem.js';
import { measurePromises } from './promises/figures.js';
import {
  type ListedCredit,
  type ParkedPlace,
  type PromisedCredit,
  type PromisingDocument,
  promisingDocuments,
} from './promises/promising-documents.js';
import { createSlots } from './slots.js';
import { dueTimes } from './store/due.js';

export {
  type PromisedCredit,
  type Promises,
  withoutPromises,
} from './promises/promising-documents.js';

export interface PromisedCreditsOptions {
  store: Connection;
  collection: string;
  ledger: LedgerClient;
  clock: Clock;
  leases: SharedLeases;
  log: Log;
  metrics?: Metrics;
  /** Documents looked at in one sweep. */
  batch?: number;
  /** Runs after a credit stands and before its promise is taken out; must be repeatable. */
  onCredited?: (id: string, credit: PromisedCredit, result: CreditResult) => Promise<void>;
}

export interface PromisedCredits {
  /**
   * Credits what a document has promised.
   * @param cause of the call that makes the promise, where it is known without reading the document
   * @returns null when the ledger did not answer in time, or the promise is kept for the sweeper: the caller says pending
   */
  settle(id: string, credit: PromisedCredit, cause?: Cause): Promise<CreditResult | null>;
  /** Settles what is older than five seconds. @returns how many credits were made */
  sweepOnce(): Promise<number>;
  /** Credits that the ledger has refused for good, longest parked first, at least `limit` if there are as many; those behind a place. */
  parked(page: { after: ParkedPlace | null; limit: number }): Promise<ListedCredit[]>;
  /**
   * Tries a parked credit once more, with the same key and amount.
   * @returns null when none is parked under the key
   */
  retryParked(key: string): Promise<'credited' | 'pending' | 'parked' | null>;
  start(): void;
  stop(): Promise<void>;
}

/** The schemas that promised credits have had. */
const CREDIT = documentSchema<PromisedCredit>('promised credit');

/** What became of one promise. `ended`: the user is gone, nothing is owed. */
type Outcome = { credited: CreditResult } | 'pending' | 'parked' | 'ended';

/**
 * Keeps the promise of every stored credit, whatever crashes in between (services/README.md#consistency). What fails for
 * now is tried again, later each time; what the ledger refuses for good is parked for an admin; what was promised to a
 * user who is erased ends (services/README.md#erasure).
 */
export function createPromisedCredits(options: PromisedCreditsOptions): PromisedCredits {
  const { ledger, clock, leases, log, batch = SWEEP_BATCH } = options;
  const name = options.collection;
  const documents = promisingDocuments(options.store, name);
  if (options.metrics) measurePromises(options.metrics, { name, documents, clock });
  const slots = createSlots(SWEEP_IN_FLIGHT_MAX);
  const tries = createLru<string, number>(PROMISE_RETRY_DOCUMENTS_MAX);

  const refused = async (id: string, credit: PromisedCredit, { type, message }: Problem): Promise<Outcome> => {
    if (type === ERASED_USER) {
      await documents.takeOut(id, credit.key);
      return 'ended';
    }
    log.error(
      { collection: name, key: credit.key, type, ...causeOnLine(credit.cause) },
      'the ledger refused a promised credit; it is parked',
    );
    await documents.park(id, { ...credit, refusal: type, message, parkedAtMs: clock.now() });
    return 'parked';
  };
  /** @throws what the store or `onCredited` throws, and for a credit that only a newer release can read: the promise stays */
  const keep = async (id: string, promised: PromisedCredit): Promise<Outcome> => {
    const credit = upgrade(promised, CREDIT);
    let result: CreditResult;
    try {
      result = await ledger.credit(credit);
    } catch (err) {
      if (err instanceof Problem) return refused(id, credit, err);
      if (err instanceof LedgerUnavailable) return 'pending';
      throw err;
    }
    await options.onCredited?.(id, credit, result);
    await documents.takeOut(id, credit.key);
    return { credited: result };
  };
  const keepQuietly = (id: string, credit: PromisedCredit): Promise<Outcome> =>
    keep(id, credit).catch((err: unknown) => {
      log.warn(
        { err, collection: name, key: credit.key, ...causeOnLine(credit.cause) },
        'a promised credit is left to the sweeper',
      );
      return 'pending';
    });
  const later = async (document: PromisingDocument): Promise<void> => {
    const before = tries.get(document._id) ?? 0;
    tries.set(document._id, before + 1);
    const waitMs = Math.min(PROMISE_RETRY_MS_MAX, PROMISE_RETRY_MS_MIN * 2 ** Math.min(before, 16));
    await documents.postpone(document, clock.now() + waitMs - SWEEP_OLDER_THAN_MS);
  };
  /** All that one document promises, in order. @returns how many credits were made */
  const keepAll = async (document: PromisingDocument): Promise<number> => {
    const { _id, promised = [] } = document;
    if (promised.length === 0) {
      await documents.heal(_id);
      return 0;
    }
    const outcomes: Outcome[] = [];
    for (const credit of promised) outcomes.push(await keepQuietly(_id, credit));
    if (outcomes.includes('pending')) await later(document);
    else tries.delete(_id);
    return outcomes.filter((outcome) => typeof outcome === 'object').length;
  };
  /** One batch. The look comes before the lease: where nothing is due, nothing is written. */
  const sweep = async (turn: Turn): Promise<{ looked: number; made: number }> => {
    const nowMs = clock.now();
    const times = dueTimes(nowMs, PROMISE_RETRY_MS_MAX, nowMs - SWEEP_OLDER_THAN_MS);
    const mine = (await documents.anyDue(times)) && (await turn.mine());
    if (!mine) return { looked: 0, made: 0 };
    const due = await documents.due(times, batch, mine);
    const made = await allThrough(due.map((document) => slots.run(() => keepAll(document))));
    return { looked: due.length, made: made.reduce((sum, credits) => sum + credits, 0) };
  };
  const sweeps = periodic(
    { clock, log, leases, metrics: options.metrics },
    {
      name: `promises.${name}`,
      everyMs: SWEEP_EVERY_MS,
      leaseMs: SWEEP_LEASE_MS,
      parts: SWEEP_PARTS,
      async run(turn) {
        // On at once while batches are full.
        for (let batches = 0; batches < SWEEP_BATCHES_MAX; batches++) {
          if ((await sweep(turn)).looked < batch) return;
        }
      },
    },
  );
  return {
    async settle(id, credit, cause) {
      const outcome = await keepQuietly(id, cause ? { cause, ...credit } : credit);
      return typeof outcome === 'object' ? outcome.credited : null;
    },
    sweepOnce: async () => (await sweeps.inTurn(sweep)).made,
    parked: documents.parked,
    async retryParked(key) {
      const found = await documents.unpark(key, clock.now());
      if (!found) return null;
      const outcome = await keepQuietly(found.id, found.credit);
      if (typeof outcome === 'object') return 'credited';
      // A promise that has ended is parked no more either; what is left of it is nothing.
      return outcome === 'ended' ? null : outcome;
    },
    start: sweeps.start,
    stop: sweeps.stop,
  };
}
