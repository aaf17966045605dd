import type { Connection, mongo } from 'mongoose';
import { collection } from '../collection.js';
import { createLeases } from '../lease.js';
import type { Credit, CreditResult, LedgerClient } from '../ledger-client.js';
import { LedgerUnavailable } from '../ledger-client.js';
import { createLogger } from '../log.js';
import type { OutboxCredit, OutboxDocument, OutboxFields } from '../outbox/items.js';
import { createOutbox, type Outbox } from '../outbox.js';
import { Problem } from '../problem.js';
import { createTestClock, startTestStore, type TestClock } from '../testing/index.js';

type Holder = OutboxDocument;

/** Where a process is killed: never, or before or after its n-th step, counted from 0. */
export interface Kill {
  step: number;
  when: 'before' | 'after';
}

/** One run of a process that delivers outboxes. */
export interface Keeper extends Outbox {
  /** Steps taken: store writes, ledger requests, `onCredited`. */
  steps(): number;
  wasKilled(): boolean;
}

interface KeeperOptions {
  kill?: Kill | undefined;
  batch?: number;
  /** Runs before each write to the store. */
  beforeWrite?: (n: number) => Promise<void>;
}

/** Documents with credits in a real store, and a ledger in memory with the real ledger's key rules. */
interface CreditsFixture {
  clock: TestClock;
  holders(): mongo.Collection<Holder>;
  /** Credited amounts by key, and the number of requests per key. */
  entries: Map<string, bigint>;
  requested: Map<string, number>;
  /** Refusals by key; `away` means no response. */
  refusals: Map<string, Problem | 'away'>;
  /** Keys whose `onCredited` has run. */
  noted: Set<string>;
  keeper(options?: KeeperOptions): Keeper;
  insert(id: string, outbox: OutboxCredit[], more?: OutboxFields): Promise<void>;
  /** Moves the clock past every wait and sweeps. */
  settleAll(keeper: Outbox): Promise<void>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

class Killed extends Error {}

export async function startCreditsFixture(): Promise<CreditsFixture> {
  const log = createLogger('test', 'silent');
  const backend = await startTestStore({ data: [collection<Holder>({ name: 'holders', outbox: 'credits' })] });
  const { store } = backend;

  const ledger: LedgerClient = {
    async credit({ key, amountMicro }: Credit): Promise<CreditResult> {
      fixture.requested.set(key, (fixture.requested.get(key) ?? 0) + 1);
      const refusal = fixture.refusals.get(key);
      if (refusal === 'away') throw new LedgerUnavailable('away');
      if (refusal) throw refusal;
      const known = fixture.entries.get(key);
      if (known !== undefined && known !== amountMicro) throw new Problem(409, 'key-conflict', 'Another amount');
      fixture.entries.set(key, amountMicro);
      const balanceMicro = [...fixture.entries.values()].reduce((sum, amount) => sum + amount, 0n);
      return { amountMicro, balanceMicro, seq: 1n };
    },
  };

  const fixture: CreditsFixture = {
    clock: createTestClock(),
    entries: new Map(),
    requested: new Map(),
    refusals: new Map(),
    noted: new Set(),
    holders: () => store.collection<Holder>('holders'),
    keeper({ kill, batch, beforeWrite } = {}) {
      let steps = 0;
      let writes = 0;
      let killed = false;
      /** A killed process does nothing more. */
      const step = async <R>(run: () => Promise<R>): Promise<R> => {
        const n = steps++;
        if (kill?.step === n && kill.when === 'before') killed = true;
        if (killed) throw new Killed();
        const result = await run();
        if (kill?.step === n && kill.when === 'after') killed = true;
        if (killed) throw new Killed();
        return result;
      };
      const writing = ['updateOne', 'bulkWrite'];
      const watched = (documents: object): object =>
        new Proxy(documents, {
          get(target, name, receiver) {
            const value = Reflect.get(target, name, receiver);
            if (typeof value !== 'function') return value;
            const bound = value.bind(target);
            if (!writing.includes(String(name))) return bound;
            return (...args: unknown[]) =>
              step(async () => {
                await beforeWrite?.(writes++);
                return bound(...args);
              });
          },
        });
      const connection = { collection: (name: string) => watched(store.collection(name)) } as unknown as Connection;
      const { clock } = fixture;
      const outbox = createOutbox({
        store: connection,
        collection: 'holders',
        nats: backend.nats,
        ledger: { credit: (credit) => step(() => ledger.credit(credit)) },
        clock,
        leases: createLeases(store, clock),
        log,
        ...(batch === undefined ? {} : { batch }),
        onCredited: (_id, { key }) => step(async () => void fixture.noted.add(key)),
      });
      return { ...outbox, steps: () => steps, wasKilled: () => killed };
    },
    async insert(id, outbox, more = {}) {
      await fixture.holders().insertOne({ _id: id, outbox, dirtyAt: fixture.clock.now(), ...more });
    },
    async settleAll(keeper) {
      await fixture.clock.advance(120_000);
      await keeper.sweepOnce();
    },
    async reset() {
      fixture.clock = createTestClock();
      for (const kept of [fixture.entries, fixture.requested, fixture.refusals, fixture.noted]) kept.clear();
      await fixture.holders().deleteMany({});
      await store.collection('leases').deleteMany({});
    },
    stop: backend.stop,
  };
  return fixture;
}

/** Returns the n-th credit of a user. */
export function creditOf(userId: string, n: number): OutboxCredit {
  return {
    kind: 'credit',
    key: `task:${n}:${userId}:once`,
    userId,
    source: 'task',
    amountMicro: BigInt(n) * 1_000_000n,
    reason: `Task ${n}`,
  };
}
