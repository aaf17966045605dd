import type { Connection } from 'mongoose';
import type { DataPlan } from './collection.js';
import type { Nats } from './nats.js';
import { purgeUserEvents } from './purge.js';

/** Erases a user from a service's collections, in their order, and then from its streams; repeatable (services/README.md#erasure). */
export async function eraseUser(
  { store, nats }: { store: Connection; nats: Pick<Nats, 'jsm'> },
  data: DataPlan,
  userId: string,
): Promise<void> {
  await eraseStored(store, data, userId);
  await purgeStreams(nats, data, userId);
}

/** Erases a user from a service's collections, in their order; repeatable. */
export async function eraseStored(store: Connection, data: DataPlan, userId: string): Promise<void> {
  for (const { erase } of data) await erase(store, userId);
}

/** Deletes a user's events from a service's streams, except those that stay after an erasure; repeatable. */
export async function purgeStreams(nats: Pick<Nats, 'jsm'>, data: DataPlan, userId: string): Promise<void> {
  const states = data.flatMap(({ states = [] }) => states.filter(({ stays }) => !stays));
  await purgeUserEvents(nats, [...new Set(states.flatMap(({ kinds }) => kinds))], userId);
}
