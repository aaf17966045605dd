import { type EventOf, NOBODY } from '@cord/contracts/events/envelope';
import { READS } from '@cord/contracts/events/reads';
import type { Nats } from '@cord/kit/nats';
import { type Consuming, on } from '@cord/kit/nats/consume';
import type { Kit } from '@cord/kit/service';
import type { EpochDesk } from './epoch-desk.js';
import { type RewardsStore, type RuleRows, withoutProposal } from './store.js';

type Proposals = Pick<EpochDesk, 'rows' | 'change'>;

const reads = READS.rewards;

/** Stores a user's registration time once; ignores erased users. */
export function takeRegistered(
  store: Pick<RewardsStore, 'holders'>,
  { userId, joinedAt, returning }: EventOf<typeof reads.userRegistered>,
): Promise<void> {
  return store.holders.update(userId, (holder) =>
    holder.joinedAtMs === null && !holder.erased ? { ...holder, joinedAtMs: joinedAt, returning } : null,
  );
}

/**
 * Withdraws the proposals of an erased operator: after a return under a new id, the same person could act as the second operator.
 * @throws Problem 503 like any change of the table
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

/** Consumes registrations and erasures from auth. */
export function listen(
  nats: Pick<Nats, 'consume'>,
  store: RewardsStore,
  erase: Kit['erase'],
  desk: Proposals,
): Consuming {
  return nats.consume({
    stream: 'CORD_USERS',
    // Withdrawing proposals changes the table, and the event arrives only once: it is retried for as long as mining is away.
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
