import type { Source } from '@cord/contracts/events/balance';
import type { Connection, mongo } from 'mongoose';
import { SWEEP_BATCH, SWEEP_EVERY_MS, SWEEP_IN_FLIGHT_MAX, SWEEP_LEASE_MS, SWEEP_OLDER_THAN_MS } from './bounds.js';
import type { Clock } from './clock.js';
import type { Leases } from './lease.js';
import { type CreditResult, type LedgerClient, LedgerUnavailable } from './ledger-client.js';
import type { Log } from './log.js';
import { Problem } from './problem.js';
import { createSlots } from './slots.js';
import { createSweepTimer } from './sweep-timer.js';

/** A credit as its caller has stored it before asking the ledger; retried as it stands (money.md, Credit). */
export interface PromisedCredit {
  /** Idempotency key. */
  key: string;
  userId: string;
  source: Source;
  amountMicro: bigint;
  reason: string;
}

/** A document that promises credits: `promisedAt` (ms since epoch) is there while `promised` is not empty. */
export interface PromisingDocument {
  _id: string;
  promised?: PromisedCredit[];
  promisedAt?: number;
}

export interface PromisedCreditsOptions {
  store: Connection;
  collection: string;
  ledger: LedgerClient;
  clock: Clock;
  leases: Leases;
  log: Log;
  /** Runs after a credit stands and before its promise is taken out; must be repeatable. */
  onCredited?: (id: string, credit: PromisedCredit, result: CreditResult) => Promise<void>;
}

export interface PromisedCredits {
  /**
   * Credits what a document has promised.
   * @returns null when the ledger did not answer in time, or the promise is kept for the sweeper: the caller says pending
   */
  settle(id: string, credit: PromisedCredit): Promise<CreditResult | null>;
  /** Settles what is older than five seconds. @returns how many credits were made */
  sweepOnce(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

/** The ledger will never take these: the user is gone. */
const HOPELESS: ReadonlySet<string> = new Set(['account-erased']);

/** Keeps the promise of every stored credit, whatever crashes in between (design.md, Read your own writes). */
export function createPromisedCredits(options: PromisedCreditsOptions): PromisedCredits {
  const { store, ledger, clock, leases, log } = options;
  const name = options.collection;
  const documents = (): mongo.Collection<PromisingDocument> => store.collection<PromisingDocument>(name);
  const slots = createSlots(SWEEP_IN_FLIGHT_MAX);
  let running: Promise<number> | undefined;

  const takeOut = async (id: string, key: string): Promise<void> => {
    const last = await documents().updateOne(
      { _id: id, promised: { $size: 1 }, 'promised.key': key },
      { $pull: { promised: { key } }, $unset: { promisedAt: '' } },
    );
    if (last.matchedCount === 0) await documents().updateOne({ _id: id }, { $pull: { promised: { key } } });
  };
  const keep = async (id: string, credit: PromisedCredit): Promise<CreditResult | null> => {
    try {
      const result = await ledger.credit(credit);
      await options.onCredited?.(id, credit, result);
      await takeOut(id, credit.key);
      return result;
    } catch (err) {
      if (err instanceof LedgerUnavailable) return null;
      if (!(err instanceof Problem)) throw err;
      if (HOPELESS.has(err.type)) await takeOut(id, credit.key);
      log.warn({ err, collection: name, key: credit.key, type: err.type }, 'the ledger refused a promised credit');
      return null;
    }
  };
  /** All that one document promises, in order. @returns how many credits were made */
  const keepAll = async ({ _id, promised = [] }: PromisingDocument): Promise<number> => {
    let made = 0;
    for (const credit of promised) if (await keep(_id, credit)) made += 1;
    // To the end of the queue, so that one that keeps failing does not stand in the others' way.
    if (made < promised.length)
      await documents().updateOne({ _id, promisedAt: { $exists: true } }, { $set: { promisedAt: clock.now() } });
    return made;
  };
  const sweep = async (): Promise<number> => {
    if (!(await leases.acquire(`promises.${name}`, SWEEP_LEASE_MS))) return 0;
    const due = await documents()
      .find({ promisedAt: { $lte: clock.now() - SWEEP_OLDER_THAN_MS } })
      .sort({ promisedAt: 1 })
      .limit(SWEEP_BATCH)
      .toArray();
    const made = await Promise.all(due.map((document) => slots.run(() => keepAll(document))));
    return made.reduce((sum, count) => sum + count, 0);
  };
  const sweepOnce = async (): Promise<number> => {
    await running?.catch(() => undefined);
    running = sweep();
    return running;
  };
  const tick = async (): Promise<void> => {
    await sweepOnce().catch((err: unknown) =>
      log.warn({ err, collection: name }, 'a sweep of promised credits failed'),
    );
  };
  const timer = createSweepTimer(SWEEP_EVERY_MS, clock, tick);
  return {
    settle: keep,
    sweepOnce,
    start: timer.start,
    async stop() {
      timer.stop();
      await running?.catch(() => undefined);
    },
  };
}

/** The index that the sweep reads by. */
export async function ensurePromiseIndexes(store: Connection, collection: string): Promise<void> {
  await store.collection(collection).createIndex({ promisedAt: 1 }, { sparse: true });
}
