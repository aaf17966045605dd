import { randomBytes, randomUUID } from 'node:crypto';
import { toBase64 } from '@cord/contracts/proof/bytes';
import { DAY_MS } from '@cord/contracts/rules/days';
import { startTestBackend } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { type Connection, createConnection } from 'mongoose';
import { beforeEach } from 'vitest';
import { type Account, newAccount } from '../ledger/account.js';
import { sha256 } from '../ledger/chain.js';
import { makeRoot, type RootParts } from '../roots/job.js';
import { logKey } from '../roots/key.js';
import { createRootStore, logOpener, newestLog, type RootStore } from '../roots/store.js';
import { createLedgerStore } from '../store/ledger-store.js';

/** When the first root is due, ms since epoch. */
export const FIRST_MS = Date.UTC(2026, 10, 26, 0, 10);
export const ORIGIN = 'cord.example/ledger';
export const KEY = logKey('k'.repeat(64));

/** Builds an account whose entries have this sum. */
export const account = (n: number, changes: Partial<Account> = {}): Account => ({
  ...newAccount(n.toString(16).padStart(32, '0'), 0, FIRST_MS - DAY_MS),
  balanceMicro: BigInt(n) * 1_000n,
  chain: { n, head: toBase64(sha256(Buffer.from([n % 256]))), salt: toBase64(randomBytes(32)) },
  ...changes,
});

/** Runs the daily job on a separate database for each test. */
export function setUpRoots() {
  const backend = forAllTests(() => startTestBackend());
  let connection: Connection;
  beforeEach(async () => {
    const dbName = backend.dbName(`roots_${randomUUID().slice(0, 8)}`);
    connection = await createConnection(backend.mongodbUri, {
      dbName,
      useBigInt64: true,
      monitorCommands: true,
    }).asPromise();
    return async () => {
      await connection.dropDatabase();
      await connection.close();
    };
  });
  const parts = (store: RootStore = createRootStore(connection)): RootParts => ({
    ...{ store, keys: [KEY], origin: ORIGIN, rules: () => toBase64(sha256(Buffer.from('rules'))) },
    verifier: toBase64(sha256(Buffer.from('verifier'))),
  });
  return {
    parts,
    run: (nowMs = FIRST_MS, own = parts()) => makeRoot(own, nowMs, async () => true),
    newest: () => newestLog(connection),
    opener: () => logOpener(connection),
    /** Counts the reads of records from now on, of all records and of one. */
    countReads() {
      const counted = { all: 0, one: 0 };
      connection.getClient().on('commandStarted', ({ command }) => {
        if (command.find === 'root_records') counted[command.limit === 1 ? 'one' : 'all'] += 1;
      });
      return counted;
    },
    collection: (name: string) => connection.collection(name),
    async put(accounts: readonly Account[]): Promise<void> {
      const store = createLedgerStore(connection);
      await Promise.all(accounts.map((one) => store.insert(one)));
    },
    /** A store of a process that ends at its n-th call, before or after the effect of the call. */
    ending: (at: number, when: 'before' | 'after') => ({ store: crashAt(at, when)(createRootStore(connection)) }),
  };
}

/** Simulates a process that ends at its n-th call, before or after the effect of the call. */
export function crashAt(at: number, when: 'before' | 'after') {
  let calls = 0;
  return <T extends object>(of: T): T => {
    const each = ([name, method]: [string, unknown]) => {
      if (typeof method !== 'function') return [name, method];
      const ending = (...args: unknown[]) => {
        calls += 1;
        const isLast = calls === at;
        if (calls > at || (isLast && when === 'before')) throw new Error('ended');
        const done = (method as (...given: unknown[]) => unknown).apply(of, args);
        if (!isLast) return done;
        if (name === 'accounts') throw new Error('ended');
        return Promise.resolve(done).then(() => {
          throw new Error('ended');
        });
      };
      return [name, ending];
    };
    return Object.fromEntries(Object.entries(of).map(each)) as T;
  };
}

/** Returns how a run ended: `whole`, or the error message. */
export const outcomeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'whole',
    (error: Error) => error.message,
  );

/** The actor and an unread audit log, for tests that begin a log anew. */
export const BY_COMMAND = { by: 'root', audit: { write: async () => undefined } };
