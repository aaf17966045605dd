import { referralPlace } from '@cord/contracts/events/referral';
import { dayKey } from '@cord/contracts/rules/days';
import { type ExcusedDays, isStreakUnbroken } from '@cord/contracts/rules/streak';
import { DELETED_NAME } from '@cord/contracts/texts';
import type { Rules } from '@cord/kit/rules';
import { z } from 'zod';
import type { UserDoc } from './domain/user-doc.js';
import { composeUser, type KnownAccount, type RecordParts } from './domain/user-record.js';
import type { FactStore, Facts } from './store/facts.js';

/** The parts of the user record from other services; null or undefined without a response within 200 ms. */
export interface RecordPeers {
  account(userId: string): Promise<(KnownAccount & { ownsBadge: boolean }) | null>;
  rank(userId: string): Promise<number | null | undefined>;
  /** UTC days that do not break a streak. */
  excused(): Promise<ExcusedDays | null>;
}

/** Composes the whole user record (services/README.md#who-owns-what). */
export type UserRecords = ReturnType<typeof createUserRecords>;

export function createUserRecords(deps: {
  facts: FactStore;
  /** Returns the name of a user, null for an erased one: other records hold only the id (services/README.md#erasure). */
  nameOf: (userId: string) => Promise<string | null>;
  peers: RecordPeers;
  efficiencyOf: (userId: string) => Promise<number>;
  rules: Pick<Rules, 'book'>;
  now: () => number;
}) {
  const { facts, nameOf, peers, efficiencyOf, rules, now } = deps;
  /** Returns the place among referrals from its event, with the current name of the referrer. */
  const referralOf = async ({ referral }: Facts): Promise<RecordParts['referral']> => {
    const parsed = z.object(referralPlace).safeParse(referral);
    if (!parsed.success) return null;
    const { referredBy, ...place } = parsed.data;
    if (!referredBy) return { ...place, referredBy: null };
    return { ...place, referredBy: { username: (await nameOf(referredBy.userId)) ?? DELETED_NAME } };
  };
  const factsOf = async (userId: string) => {
    const known = await facts.of(userId);
    return { known, referral: await referralOf(known) };
  };
  return {
    /** Returns the current check-in streak in days, and whether it includes today; null when tasks does not respond. */
    async streakOf(userId: string) {
      const [{ checkin }, excused] = await Promise.all([facts.of(userId), peers.excused()]);
      if (excused === null) return null;
      const today = dayKey(now());
      const last = checkin?.dayKey;
      const counts = typeof last === 'string' && isStreakUnbroken(last, today, excused);
      return { days: counts ? Number(checkin?.streak ?? 0) : 0, today: last === today };
    },
    async of(user: UserDoc) {
      const [{ known, referral }, fresh, rank, efficiencyHundredths] = await Promise.all([
        factsOf(user._id),
        peers.account(user._id),
        peers.rank(user._id),
        efficiencyOf(user._id),
      ]);
      const nowMs = now();
      return composeUser(
        {
          user,
          account: fresh,
          rank,
          ownsBadge: known.badge !== null || fresh?.ownsBadge === true,
          compensationClaimed: known.compensation !== null,
          referral,
          checkinDayKey: (known.checkin?.dayKey as string | undefined) ?? null,
          tasksCompleted: (known.task?.completed as number | undefined) ?? 0,
          efficiencyHundredths,
          book: rules.book(nowMs),
        },
        nowMs,
      );
    },
  };
}
