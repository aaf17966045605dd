import { type EventOf, NOBODY } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import type { Kit } from '@cord/kit/service';
import type { EpochDesk } from './epoch-desk.js';
import { type RewardsStore, type RuleRows, withoutProposal } from './store.js';

type Proposals = Pick<EpochDesk, 'rows' | 'change'>;

const reads = READS.rewards;

/** Takes over since when a user is there, once; of one who was erased nothing. */
export function takeRegistered(
  store: Pick<RewardsStore, 'holders'>,
  { userId, joinedAt, returning }: EventOf<typeof reads.userRegistered>,
): Promise<void> {
  return store.holders.update(userId, (holder) =>
    holder.joinedAtMs === null && !holder.erased ? { ...holder, joinedAtMs: joinedAt, returning } : null,
  );
}

/**
 * Withdraws what an operator had proposed whose account was erased: returned under another id, the same person would be the second operator.
 * @throws Problem 503 as any change of the table does
 */
async function withdrawOf(desk: Proposals, userId: string): Promise<void> {
  const { proposals } = await desk.rows();
  const of = (rows: RuleRows) => ({ proposals: rows.proposals.length });
  for (const { id, proposedBy } of proposals)
    if (proposedBy === userId)
      await desk.change({ adminId: NOBODY, action: 'rules.withdrawn', target: id, of }, (rows) =>
        withoutProposal(rows, id),
      );
}

/** Listens to auth: who is there, since when, and who is gone. */
export function listen(
  nats: Pick<Nats, 'consume'>,
  store: RewardsStore,
  erase: Kit['erase'],
  desk: Proposals,
): Consuming {
  return nats.consume({
    stream: 'CORD_USERS',
    // What an erased operator had proposed is withdrawn by a change of the table, and the event comes only once: while mining is away it waits, however long.
    maxBusy: Number.POSITIVE_INFINITY,
    handlers: [
      on(reads.userRegistered, (registered) => takeRegistered(store, registered)),
      on(reads.userErased, async ({ userId }) => {
        await erase(userId);
        await withdrawOf(desk, userId);
      }),
    ],
  });
}
