import { LedgerEntries, useTexts } from '@cord/sdk';
import { formatCord, formatCount, WhyNumber } from '@cord/ui';
import { TEXTS } from './texts';
import type { ReferralStats } from './use-referrals';

/** Explains the referral earnings: commission and bonuses with their entries, without amounts on hold. */
export function EarningsWhy({ stats, about }: { stats: ReferralStats | undefined; about: string }) {
  const t = useTexts(TEXTS);
  return (
    <WhyNumber
      about={about}
      formula={t.whyEarnings}
      inputs={[
        { label: t.friendsJoined, value: formatCount(stats?.totalReferrals) },
        { label: t.whyHeld, value: formatCord(stats?.heldEarnings) },
      ]}
    >
      <LedgerEntries sources={['commission', 'refwelcome']} />
    </WhyNumber>
  );
}
