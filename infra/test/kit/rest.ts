import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '@cord/contracts/endpoint';
import { consumedBy } from '@cord/contracts/events/streams';
import type { Nats } from '@cord/kit/nats';
import { mongo } from 'mongoose';
import { runningStoreUri } from '../../dev/starter/store-address.ts';
import { connectAsSetup } from '../../dev/starter/streams.ts';
import { advance } from './clock.ts';
import type { System } from './system.ts';

const REST_MS_MAX = 180_000;
const EVERY_MS = 500;
const THERE = { $exists: true };

/** Work in progress inside the services, by the place where it waits. */
const WAITING: Readonly<Record<string, readonly [service: string, collection: string, filter: object]>> = {
  outboxes: ['mining', 'accounts', { dirtyAt: THERE }],
  tasks: ['tasks', 'records', { dirtyAt: THERE }],
  checkins: ['tasks', 'streaks', { dirtyAt: THERE }],
  rewards: ['rewards', 'holders', { dirtyAt: THERE }],
  bonuses: ['referrals', 'members', { dirtyAt: THERE }],
  due: ['referrals', 'members', { dueAt: THERE }],
  behind: ['referrals', 'members', { againAt: THERE }],
  codes: ['referrals', 'members', { 'pendingCode.status': 'pending' }],
  onboarding: ['auth', 'users', { 'onboarding.dueAtMs': { $gt: 0 } }],
  erasures: ['auth', 'erasures', { dueAtMs: { $gt: 0 } }],
};

/**
 * Waits until outboxes and queues are empty twice in a row and each consumer has acknowledged its whole stream. NATS
 * redelivers the events of a killed process after 30 s of real time. Moves the clock by a minute for each poll.
 * @returns the system's time, ms
 * @throws Error naming what still waits after three minutes
 */
export async function comeToRest({ origin, dataDir }: Pick<System, 'origin' | 'dataDir'>): Promise<number> {
  const store = new mongo.MongoClient(await runningStoreUri(dataDir), { useBigInt64: true });
  const nats = await connectAsSetup(dataDir);
  const left = async () => ({ ...(await waiting(store)), events: await undelivered(nats) });
  try {
    let nowMs = 0;
    for (const endMs = performance.now() + REST_MS_MAX, still = { times: 0 }; still.times < 2; ) {
      if (performance.now() > endMs)
        throw new Error(`the system still has pending work: ${JSON.stringify(await left())}`);
      nowMs = await advance(origin, '61s');
      await sleep(EVERY_MS);
      const sum = Object.values(await left()).reduce((total, count) => total + count, 0);
      still.times = sum === 0 ? still.times + 1 : 0;
    }
    return nowMs;
  } finally {
    await Promise.all([nats.drain(), store.close()]);
  }
}

async function waiting(store: mongo.MongoClient): Promise<Record<string, number>> {
  const counts = Object.entries(WAITING).map(
    async ([name, [service, collection, filter]]): Promise<[string, number]> => [
      name,
      await store.db(`cord_${service}`).collection(collection).countDocuments(filter),
    ],
  );
  return Object.fromEntries(await Promise.all(counts));
}

/** Counts events that a service has not received or not acknowledged. */
async function undelivered({ jsm }: Pick<Nats, 'jsm'>): Promise<number> {
  const consumers = SERVICES.flatMap((service) => consumedBy(service).map((stream) => ({ service, stream })));
  const infos = await Promise.all(consumers.map(({ stream, service }) => jsm.consumers.info(stream, service)));
  return infos.reduce((sum, { num_pending, num_ack_pending }) => sum + num_pending + num_ack_pending, 0);
}
