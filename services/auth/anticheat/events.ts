import type { EventOf } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, type Delivery, on } from '@cord/kit/nats/consume';
import type { NetworkCheck } from './check.js';
import type { MinedStore } from './mined.js';

const reads = READS.auth;

/** Hears where nodes earned. Time at addresses that never count is not among what is told (services/contracts/rules/README.md#network-check). */
export function consumeNodes(deps: {
  nats: Nats;
  /** Whether there is such a user: nothing is kept of an erased one. */
  isUser: (userId: string) => Promise<boolean>;
  mined: MinedStore;
  check: Pick<NetworkCheck, 'nodeChanged'>;
}): Consuming {
  const { nats, isUser, mined, check } = deps;

  async function node(event: EventOf<typeof reads.nodeStarted>, { cause }: Delivery): Promise<void> {
    const { sessionId, userId, addressHash, addresses, ranMs, sessionMs, creditedUntil, day } = event;
    if (!(await isUser(userId))) return;
    if (addresses !== undefined) {
      if (addresses.length === 0) return;
      await mined.noteAddresses({ userId, seq: Number(event.seq), atMs: creditedUntil, addresses, day });
    } else {
      // Of the release before: the address of the start alone.
      if (addressHash === undefined) return;
      const ranBeforeMs = ranMs - sessionMs;
      await mined.note({ sessionId, userId, addressHash, ranBeforeMs, ranToMs: ranMs, lastAtMs: creditedUntil });
    }
    await check.nodeChanged(userId, cause);
  }

  return nats.consume({
    stream: 'CORD_NODES',
    handlers: [on(reads.nodeStarted, node), on(reads.nodePaused, node), on(reads.nodeStopped, node)],
  });
}
