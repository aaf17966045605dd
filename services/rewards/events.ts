import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import type { Kit } from '@cord/kit/service';
import type { RewardsStore } from './store.js';

const reads = READS.rewards;

/** Listens to auth: who is there, since when, and who is gone. */
export function listen(nats: Pick<Nats, 'consume'>, store: RewardsStore, erase: Kit['erase']): Consuming {
  return nats.consume({
    stream: 'CORD_USERS',
    handlers: [
      on(reads.userRegistered, async ({ userId, joinedAt, returning }) =>
        store.holders.change(userId, (holder) => ({
          doc: holder.joinedAtMs === null && !holder.erased ? { ...holder, joinedAtMs: joinedAt, returning } : null,
          result: undefined,
        })),
      ),
      on(reads.userErased, ({ userId }) => erase(userId)),
    ],
  });
}
