import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SERVICES } from '@cord/contracts/endpoint';
import { consumedBy } from '@cord/contracts/events/streams';
import type { Nats } from '@cord/kit/nats';
import { mongo } from 'mongoose';
import { connectAsSetup } from '../../dev/starter/streams.ts';
import { scratch } from '../../dev/test/scratch.js';
import { advance } from '../../test/kit/clock.ts';
import { readRunFile, type System, start } from '../../test/kit/system.ts';
import { auditBooks, type Books } from '../books.js';
import type { Finding } from '../findings.js';
import { readingOf } from '../reading.js';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const REST_MS_MAX = 180_000;
/** A whole system that comes and goes with a test. */
export interface TestSystem {
  origin: string;
  dataDir: string;
  started: System;
  /** Stops it in order; the data stays. */
  halt(): Promise<void>;
  /** Stops it and takes the data away. */
  remove(): Promise<void>;
}

export async function startTestSystem(args: string[] = [], env: Record<string, string> = {}): Promise<TestSystem> {
  const { folder, remove } = await scratch();
  const started = start(['--port', '0', '--data', folder, ...args], {
    RATE_LIMIT_SCALE: '0',
    NODE_ENV: 'test',
    ...env,
  });
  const origin = await started.ready();
  return {
    origin,
    dataDir: folder,
    started,
    halt: () => started.halt(),
    async remove() {
      await started.halt();
      await remove();
    },
  };
}

/** A client of a store as the audit reads it. @param uri with a user who may read everything */
export async function openStore(uri: string) {
  const client = await new mongo.MongoClient(uri, { useBigInt64: true }).connect();
  const databaseOf = (service: string) => client.db(`cord_${service}`);
  return { databaseOf, close: () => client.close() };
}

/** The store of a running system. */
export async function openRunning(dataDir: string) {
  const { runningStoreUri } = await import(new URL('../../dev/starter/store-address.ts', import.meta.url).href);
  return openStore(await runningStoreUri(dataDir));
}

/** The store of a system that stands still, started for as long as it is needed. */
export async function openHalted(dataDir: string) {
  const { storeOf } = await import(new URL('../../dev/starter/store-of.ts', import.meta.url).href);
  const env = { ...process.env, MONGODB_URI: undefined, CORD_DATA: undefined };
  const store = await storeOf(dataDir, env);
  const opened = await openStore(store.uri);
  return {
    ...opened,
    uri: store.uri as string,
    async close() {
      await opened.close();
      await store.close();
    },
  };
}

/** Address of the chain of a local system. */
export async function rpcUrlOf(dataDir: string): Promise<string> {
  return (await readRunFile(dataDir)).services.solana?.[0]?.url ?? '';
}

/** All findings of the books, one line each. @param rest at rest: nothing may be on its way */
export async function findingsOf(
  databaseOf: Books['databaseOf'],
  { nowMs, chain = null, lagMs = 0 }: { nowMs: number; chain?: Books['chain']; lagMs?: number },
  patience = { tries: 1, pauseMs: 0 },
) {
  const lines: string[] = [];
  const print = ({ of, what }: Finding) => lines.push(`${of}: ${what}`);
  const books = { databaseOf, reading: await readingOf(ROOT), judgement: { nowMs, lagMs }, chain };
  const audited = await auditBooks(books, print, patience);
  return { lines, audited };
}

/**
 * Waits until nothing is in an outbox, due or waiting any more, and each consumer has acknowledged what its stream holds: the event of a
 * process that was killed comes again after half a minute of real time. The clock goes on by a minute each time. @returns its time, ms
 */
export async function comeToRest(
  { origin, dataDir }: Pick<TestSystem, 'origin' | 'dataDir'>,
  databaseOf: Books['databaseOf'],
): Promise<number> {
  const nats = await connectAsSetup(dataDir, {});
  const left = async () => ({ ...(await waiting(databaseOf)), events: await undelivered(nats) });
  try {
    let nowMs = 0;
    for (const endMs = performance.now() + REST_MS_MAX, still = { times: 0 }; still.times < 2; ) {
      if (performance.now() > endMs)
        throw new Error(`the system did not come to rest: ${JSON.stringify(await left())}`);
      nowMs = await advance(origin, '61s');
      await sleep(500);
      const sum = Object.values(await left()).reduce((total, count) => total + count, 0);
      still.times = sum === 0 ? still.times + 1 : 0;
    }
    return nowMs;
  } finally {
    await nats.drain();
  }
}

/** Events that a service has not had yet, or has not acknowledged. */
async function undelivered({ jsm }: Pick<Nats, 'jsm'>): Promise<number> {
  const consumers = SERVICES.flatMap((service) => consumedBy(service).map((stream) => ({ service, stream })));
  const infos = await Promise.all(consumers.map(({ stream, service }) => jsm.consumers.info(stream, service)));
  return infos.reduce((sum, { num_pending, num_ack_pending }) => sum + num_pending + num_ack_pending, 0);
}

/** What waits, by where it does. */
async function waiting(databaseOf: Books['databaseOf']): Promise<Record<string, number>> {
  const count = (service: string, name: string, filter: object) =>
    databaseOf(service).collection(name).countDocuments(filter);
  const exists = { $exists: true };
  return {
    outboxes: await count('mining', 'accounts', { dirtyAt: exists }),
    tasks: await count('tasks', 'records', { dirtyAt: exists }),
    checkins: await count('tasks', 'streaks', { dirtyAt: exists }),
    rewards: await count('rewards', 'holders', { dirtyAt: exists }),
    bonuses: await count('referrals', 'members', { dirtyAt: exists }),
    due: await count('referrals', 'members', { dueAt: exists }),
    behind: await count('referrals', 'members', { againAt: exists }),
    codes: await count('referrals', 'members', { 'pendingCode.status': 'pending' }),
    onboarding: await count('auth', 'users', { 'onboarding.dueAtMs': { $gt: 0 } }),
    erasures: await count('auth', 'erasures', { dueAtMs: { $gt: 0 } }),
  };
}
