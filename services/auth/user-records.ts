import { accountState } from '@cord/contracts/events/balance';
import type { User } from '@cord/contracts/http/users';
import { composeUser, type KnownAccount } from './domain/user-record.js';
import type { FactStore, Facts } from './store/facts.js';
import type { UserDoc } from './store/users.js';

/** What the composed record asks of other services; null or undefined when they do not answer in 200 ms. */
export interface RecordPeers {
  account(userId: string): Promise<(KnownAccount & { ownsBadge: boolean }) | null>;
  rank(userId: string): Promise<number | null | undefined>;
}

/** Puts the whole user record together (design.md, Who owns what). */
export interface UserRecords {
  of(user: UserDoc): Promise<User>;
}

export function createUserRecords(deps: {
  facts: FactStore;
  peers: RecordPeers;
  efficiencyOf: (userId: string) => Promise<number>;
  now: () => number;
}): UserRecords {
  const { facts, peers, efficiencyOf, now } = deps;
  return {
    async of(user) {
      const [known, fresh, rank, efficiencyHundredths] = await Promise.all([
        facts.of(user._id),
        peers.account(user._id),
        peers.rank(user._id),
        efficiencyOf(user._id),
      ]);
      return composeUser(
        {
          user,
          account: fresh ?? accountOfEvent(known),
          rank,
          ownsBadge: known.badge !== null || fresh?.ownsBadge === true,
          compensationClaimed: known.compensation !== null,
          referral: known.referral as never,
          checkinDayKey: (known.checkin?.dayKey as string | undefined) ?? null,
          tasksCompleted: (known.task?.completed as number | undefined) ?? 0,
          efficiencyHundredths,
        },
        now(),
      );
    },
  };
}

/** The account as its last event told; the rate of a node at rest is not in it. */
function accountOfEvent({ balance }: Facts): KnownAccount | null {
  if (balance === null) return null;
  const { seq } = balance;
  const state = accountState.safeParse(balance);
  return state.success && typeof seq === 'string' ? { ...state.data, seq, rateNano: null } : null;
}
