import type { User } from '@cord/contracts/http/users';
import { type RateFactors, rateNano, rateToNumber, strands } from '@cord/contracts/rules/rate';
import { useCurrentEpoch, useMiningSession, useSession, useTexts } from '@cord/sdk';
import { formatAge, formatMultiplier, formatRate, RateTable, WhyPopover } from '@cord/ui';
import { epochName } from '../session/epoch-name';
import { DASHBOARD_TEXTS } from './texts';

/** "Why this number?" for the rate: what each factor adds, by the rule the server uses. */
export function RateWhy({ about }: { about: string }) {
  const t = useTexts(DASHBOARD_TEXTS);
  const { user } = useSession();
  const factors = useRateFactors(user);
  const epoch = useCurrentEpoch().data;
  if (user === null || factors === null) return null;
  const labels = {
    base: t.whyBase,
    age: t.whyAge({ age: formatAge(user.account_age) }),
    epoch: epoch ? epochName(epoch.name) : t.whyEpoch,
    badge: factors.badge ? t.whyBadge : t.whyNoBadge,
    antiCheat: factors.antiCheatHundredths === 100n ? t.whyClean : t.whyShared,
  };
  const total = rateNano(factors);
  return (
    <WhyPopover about={about}>
      <RateTable
        rows={strands(factors).map(({ key, hundredths, addsNano }) => ({
          key,
          label: labels[key],
          ...(key === 'base' ? {} : { factor: formatMultiplier(Number(hundredths) / 100) }),
          adds: formatRate(rateToNumber(addsNano), { signed: key !== 'base' && addsNano !== 0n }),
          active: key === 'base' || hundredths !== 100n,
        }))}
        totalLabel={t.whyTotal}
        totalFactor={formatMultiplier(rateToNumber(total) / 0.5)}
        total={formatRate(rateToNumber(total))}
      />
    </WhyPopover>
  );
}

/** The factors in force: those of the running session, else those of the record and the epoch. */
function useRateFactors(user: User | null): RateFactors | null {
  const session = useMiningSession();
  const epoch = useCurrentEpoch();
  if (user === null) return null;
  const running = session?.status === 'active' ? session.factors : null;
  const epochFactor = running?.epoch ?? epoch.data?.rewardsMultiplier ?? 1;
  return {
    tierHundredths: hundredths(running?.tier ?? user.multiplier),
    antiCheatHundredths: hundredths(running?.antiCheat ?? user.efficiencyMultiplier),
    badge: running?.badge ?? user.hasbadgeofhonor,
    epochHundredths: hundredths(epochFactor),
  };
}

function hundredths(factor: number): bigint {
  return BigInt(Math.round(factor * 100));
}
