import type { Consuming } from '@cord/kit/nats/consume';
import type { Turn } from '@cord/kit/periodic';
import type { Kit } from '@cord/kit/service';
import { createAddressStore } from './addresses.js';
import { ASSESSMENTS, createAssessmentStore } from './assessments.js';
import { createCheck } from './check.js';
import { consumeNodes } from './events.js';
import { createMinedStore } from './mined.js';
import type { AntiCheat } from './port.js';

/** The network check with its sweep and consumer. */
interface OpenAntiCheat extends AntiCheat {
  /** Re-checks due users, and deletes data older than 30 days. */
  sweep(turn: Pick<Turn, 'lease'>): Promise<void>;
  /** Starts to consume node events. */
  start(): Consuming;
}

/**
 * Opens the network check's collections and wires it.
 * @param isUser whether the user exists: nothing is stored for an erased one
 */
export function openAntiCheat(
  kit: Pick<Kit, 'store' | 'nats' | 'clock' | 'outbox'>,
  isUser: (userId: string) => Promise<boolean>,
): OpenAntiCheat {
  const mined = createMinedStore(kit.store);
  const assessments = createAssessmentStore(kit.store);
  const addresses = createAddressStore(kit.store);
  const outbox = kit.outbox(ASSESSMENTS);
  const relay = (userId: string) => void outbox.relayNow(userId);
  const check = createCheck({ mined, assessments, addresses, isUser, relay, now: () => kit.clock.now() });
  return {
    ...check,
    start: () => consumeNodes({ nats: kit.nats, isUser, mined, check }),
  };
}
