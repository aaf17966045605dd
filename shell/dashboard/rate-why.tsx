import { useCurrentEpoch, useRate, useSession, useTexts } from '@cord/sdk';
import { formatAge, RateTable, WhyPopover } from '@cord/ui';
import { epochName } from '../session/epoch-name';
import { DASHBOARD_TEXTS } from './texts';

/** "Why this number?" for the rate: what each factor adds, by the rule the server uses. */
export function RateWhy({ about }: { about: string }) {
  const t = useTexts(DASHBOARD_TEXTS);
  const { user } = useSession();
  const rate = useRate();
  const epoch = useCurrentEpoch().data;
  if (user === null || rate === null) return null;
  const labels = {
    base: t.whyBase,
    age: t.whyAge({ age: formatAge(user.account_age) }),
    epoch: epoch ? epochName(epoch.name) : t.whyEpoch,
    badge: rate.badge ? t.whyBadge : t.whyNoBadge,
    antiCheat: rate.strands.some(({ key, active }) => key === 'antiCheat' && active) ? t.whyShared : t.whyClean,
  };
  return (
    <WhyPopover about={about}>
      <RateTable
        rows={rate.strands.map((strand) => ({ ...strand, label: labels[strand.key] }))}
        totalLabel={t.whyTotal}
        totalFactor={rate.factor}
        total={rate.perMinute}
      />
    </WhyPopover>
  );
}
