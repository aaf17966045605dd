import { referralJoined, referralLinked } from '@cord/contracts/events/referral';
import type { Clock } from '@cord/kit/clock';
import { type StreamSources, stateSource } from '@cord/kit/republish';
import { joinedItem, linkedItem } from './announce.js';
import { MEMBERS, type Member, type ReferralStore } from './store.js';

/** What stands in the stream of referrals: of each member the place among friends, and that the referrer has a friend in the member. */
export function referralStates(
  store: Pick<ReferralStore, 'members' | 'sums'>,
  clock: Pick<Clock, 'now'>,
): StreamSources {
  return {
    CORD_REFERRALS: [
      stateSource<Member>({
        collection: MEMBERS,
        kinds: [referralLinked, referralJoined],
        isGone: ({ erased }) => erased,
        async tell(member) {
          const referrer = member.referredBy && (await store.members.get(member.referredBy.userId));
          const joined = referrer && !referrer.erased ? joinedItem(member, clock.now()) : null;
          // Of whom only others have told so far, nothing was told.
          const linked =
            member.code === undefined ? null : linkedItem(member, await store.sums.tally(member._id), clock.now());
          return [linked, joined].filter((item) => item !== null);
        },
      }),
    ],
  };
}
