import { badgePurchased, badgeRefunded, claimMade, epochChanged } from '@cord/contracts/events/rewards';
import type { Clock } from '@cord/kit/clock';
import { type StreamSources, stateSource } from '@cord/kit/republish';
import { REFUNDS, type Refund, refundedItems } from './badge/refunds.js';
import { EPOCHS, type EpochTable, HOLDERS, type HolderDocument, holderItems, tableItems } from './store.js';

/** What stands in the stream of rewards: the epoch table, and of each user the badge, the one-time claims and what was returned. */
export function rewardStates(clock: Pick<Clock, 'now'>): StreamSources {
  return {
    CORD_REWARDS: [
      // First, for mining earns by it.
      stateSource<EpochTable>({
        collection: EPOCHS,
        kinds: [epochChanged],
        tell: (table) => tableItems(table, clock.now()),
      }),
      stateSource<HolderDocument>({
        collection: HOLDERS,
        kinds: [badgePurchased, claimMade],
        isGone: ({ erased }) => erased === true,
        tell: holderItems,
      }),
      stateSource<Refund>({ collection: REFUNDS, kinds: [badgeRefunded], tell: refundedItems }),
    ],
  };
}
