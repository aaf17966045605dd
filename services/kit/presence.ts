import type { ServiceName } from '@cord/contracts/endpoint';
import { PRESENCE_USERS_MAX, presenceSubject } from '@cord/contracts/events/presence';
import { PRESENCE_REPORT_EVERY_MS, PRESENCE_SEEN_MAX } from './bounds.js';
import type { Nats } from './nats.js';
import { type PeriodicParts, periodic } from './periodic.js';

/** Collects users with authenticated requests, and publishes them to the leaderboard periodically. */
export type Presence = ReturnType<typeof createPresence>;

export function createPresence(nats: Nats, service: ServiceName, parts: PeriodicParts) {
  const seen = new Set<string>();
  const publishPresence = async (): Promise<void> => {
    if (seen.size === 0 || !nats.connected()) return;
    const userIds = [...seen].slice(0, PRESENCE_USERS_MAX);
    for (const userId of userIds) seen.delete(userId);
    nats.nc.publish(presenceSubject(service), JSON.stringify({ userIds }));
  };
  const publishing = periodic(parts, {
    name: 'presence',
    everyMs: PRESENCE_REPORT_EVERY_MS,
    everywhere: 'each replica publishes those who called it',
    soon: false,
    run: publishPresence,
  });
  publishing.start();
  const markSeen = (userId: string): void => {
    if (seen.size < PRESENCE_SEEN_MAX) seen.add(userId);
  };
  return { markSeen, stop: publishing.stop };
}
