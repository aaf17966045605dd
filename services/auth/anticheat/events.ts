import type { EventOf } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import type { NetworkCheck } from './check.js';
import type { MinedStore } from './mined.js';

const reads = READS.auth;

/** Consumes the addresses at which nodes earned. Events omit time at addresses that never count (services/contracts/rules/README.md#network-check). */
export function consumeNodes(deps: {
  nats: Nats;
  /** Returns whether the user exists: nothing is stored for an erased one. */
  isUser: (userId: string) => Promise<boolean>;
  mined: MinedStore;
  check: Pick<NetworkCheck, 'nodeChanged' | 'forget'>;
}): Consuming {
  const { nats, isUser, mined, check } = deps;

  async function node(event: EventOf<typeof reads.nodeStarted>): Promise<void> {
    const { userId, addresses, creditedUntil, day } = event;
    if (addresses.length === 0) return;
    if (await isUser(userId)) {
      await mined.noteAddresses({ userId, seq: Number(event.seq), atMs: creditedUntil, addresses, day });
      await check.nodeChanged(userId);
    }
    // Erased meanwhile, or before an interrupted delivery of this event.
    if (!(await isUser(userId))) await check.forget(userId);
  }

  return nats.consume({
    stream: 'CORD_NODES',
    handlers: [on(reads.nodeStarted, node), on(reads.nodePaused, node), on(reads.nodeStopped, node)],
  });
}
