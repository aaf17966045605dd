import { ERASED_USER } from '@cord/contracts/rpc/ledger';
import type { Connection } from 'mongoose';
import { type Cause, causeOnLine } from './cause.js';
import type { Clock } from './clock.js';
import { documentSchema, upgrade } from './document-schema.js';
import type { SharedLeases } from './lease.js';
import { type CreditResult, type LedgerClient, LedgerUnavailable } from './ledger-client.js';
import type { Log } from './log.js';
import type { Metrics } from './metrics.js';
import { createSweeper } from './outbox/sweeper.js';
import { Problem } from './problem.js';
import { measurePromises } from './promises/figures.js';
import {
  type ListedCredit,
  type ParkedPlace,
  type PromisedCredit,
  promisingDocuments,
} from './promises/promising-documents.js';

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

/** Some of what a document promises could not be credited yet. */
class StaysPromised extends Error {}

/** What became of one promise. `ended`: the user is gone, nothing is owed. */
type Outcome = { credited: CreditResult } | 'pending' | 'parked' | 'ended';

/**
 * Keeps the promise of every stored credit, whatever crashes in between (services/README.md#consistency). What fails for
 * now is tried again, later each time; what the ledger refuses for good is parked for an admin; what was promised to a
 * user who is erased ends (services/README.md#erasure).
 */
export function createPromisedCredits(options: PromisedCreditsOptions): PromisedCredits {
  const { ledger, clock, leases, log } = options;
  const name = options.collection;
  const documents = promisingDocuments(options.store, name);
  if (options.metrics) measurePromises(options.metrics, { name, documents, clock });

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
  const sweeper = createSweeper({
    name: `promises.${name}`,
    mark: 'promisedAt',
    documents: documents.collection,
    clock,
    leases,
    log,
    metrics: options.metrics,
    batch: options.batch,
    /** All that one document promises, in order. @throws while some of it stays promised */
    async deliver(id) {
      const promised = await documents.promisedIn(id);
      if (promised.length === 0) await documents.heal(id);
      const outcomes: Outcome[] = [];
      for (const credit of promised) outcomes.push(await keepQuietly(id, credit));
      if (outcomes.includes('pending')) throw new StaysPromised();
      return outcomes.filter((outcome) => typeof outcome === 'object').length;
    },
  });
  return {
    async settle(id, credit, cause) {
      const outcome = await keepQuietly(id, cause ? { cause, ...credit } : credit);
      return typeof outcome === 'object' ? outcome.credited : null;
    },
    sweepOnce: sweeper.sweepOnce,
    parked: documents.parked,
    async retryParked(key) {
      const found = await documents.unpark(key, clock.now());
      if (!found) return null;
      const outcome = await keepQuietly(found.id, found.credit);
      if (typeof outcome === 'object') return 'credited';
      // A promise that has ended is parked no more either; what is left of it is nothing.
      return outcome === 'ended' ? null : outcome;
    },
    start: sweeper.start,
    stop: sweeper.stop,
  };
}
