import type { EventOf } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import type { Kit } from '@cord/kit/service';
import type { RewardsStore } from './store.js';

const reads = READS.rewards;

/** Takes over since when a user is there, once; of one who was erased nothing. */
export function takeRegistered(
  store: Pick<RewardsStore, 'holders'>,
  { userId, joinedAt, returning }: EventOf<typeof reads.userRegistered>,
): Promise<void> {
  return store.holders.change(userId, (holder) => ({
    doc: holder.joinedAtMs === null && !holder.erased ? { ...holder, joinedAtMs: joinedAt, returning } : null,
    result: undefined,
  }));
}

/** Listens to auth: who is there, since when, and who is gone. */
export function listen(nats: Pick<Nats, 'consume'>, store: RewardsStore, erase: Kit['erase']): Consuming {
  return nats.consume({
    stream: 'CORD_USERS',
    handlers: [
      on(reads.userRegistered, (registered) => takeRegistered(store, registered)),
      on(reads.userErased, ({ userId }) => erase(userId)),
    ],
  });
}
