import { createRelay, type Relay } from '@cord/kit/outbox';
import type { Kit } from '@cord/kit/service';

/** The outboxes of auth: users, erasures, requests for support. Each call gives out one document's events at once. */
export interface OutboxRelays {
  user(userId: string): void;
  erasure(userId: string): void;
  support(requestId: string): void;
  start(): void;
  stop(): Promise<void>;
}

export function createOutboxRelays(
  kit: Pick<Kit, 'store' | 'nats' | 'clock' | 'leases' | 'log' | 'metrics'>,
): OutboxRelays {
  const relayOf = (collection: string): Relay => createRelay({ ...kit, collection });
  const [user, erasure, support] = [relayOf('users'), relayOf('erasures'), relayOf('support_requests')];
  const all = [user, erasure, support];
  return {
    user: (userId) => void user.relayNow(userId),
    erasure: (userId) => void erasure.relayNow(userId),
    support: (requestId) => void support.relayNow(requestId),
    start: () => {
      for (const relay of all) relay.start();
    },
    stop: async () => {
      await Promise.all(all.map((relay) => relay.stop()));
    },
  };
}
