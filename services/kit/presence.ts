import type { ServiceName } from '@cord/contracts/endpoint';
import { PRESENCE_USERS_MAX, presenceSubject } from '@cord/contracts/events/presence';
import type { Nats } from './nats.js';

/** How often a service tells who made requests, ms: short against the five minutes that count as online. */
const TELL_EVERY_MS = 10_000;

/** Collects who made authenticated requests, and tells the leaderboard from time to time. */
export interface Presence {
  saw(userId: string): void;
  tell(): void;
  stop(): void;
}

export function createPresence(nats: Nats, service: ServiceName): Presence {
  const seen = new Set<string>();
  const tell = (): void => {
    if (seen.size === 0 || !nats.connected()) return;
    const userIds = [...seen].slice(0, PRESENCE_USERS_MAX);
    for (const userId of userIds) seen.delete(userId);
    nats.nc.publish(presenceSubject(service), JSON.stringify({ userIds }));
  };
  const timer = setInterval(tell, TELL_EVERY_MS);
  return { saw: (userId) => void seen.add(userId), tell, stop: () => clearInterval(timer) };
}
