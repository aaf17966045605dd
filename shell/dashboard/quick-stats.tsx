import { TIERS } from '@cord/contracts/rules/tiers';
import { useRate, useSession, useTexts } from '@cord/sdk';
import { Cell, Cells, formatAge, formatCord, formatMultiplier, formatRate } from '@cord/ui';
import { RateWhy } from './rate-why';
import { DASHBOARD_TEXTS } from './texts';
import { AgeWhy, BadgeWhy } from './whys';

/** Rate, multiplier, age, badge (spec part 2, Quick stats). */
export function QuickStats() {
  const t = useTexts(DASHBOARD_TEXTS);
  const { user } = useSession();
  const rate = useRate();
  if (user === null) return null;
  return (
    <Cells columns={4} phoneColumns={2}>
      <Cell
        label={t.miningRate}
        value={formatRate(rate?.perMinute)}
        hint={t.perMinute}
        info={<RateWhy about={t.miningRate} />}
      />
      <Cell
        label={t.multiplier}
        value={formatMultiplier(user.multiplier)}
        hint={t.fromAge}
        info={<RateWhy about={t.multiplier} />}
      />
      <Cell
        label={t.accountAge}
        value={formatAge(user.account_age)}
        hint={nextTier(user.account_age)}
        info={<AgeWhy user={user} />}
      />
      <Cell
        label={t.badgeStatus}
        value={user.hasbadgeofhonor ? t.badgeOwned : t.badgeNone}
        hint={user.hasbadgeofhonor ? t.badgeOwnedHint : t.badgeNoneHint}
        info={<BadgeWhy />}
      />
    </Cells>
  );
}

/** How far the next tier is: "×5 in 0.6 years". */
function nextTier(age: number): string {
  const next = TIERS.find(({ fromYears }) => fromYears > age);
  const t = DASHBOARD_TEXTS.get();
  if (next === undefined) return t.highestTier;
  const years = (next.fromYears * 10 - Math.floor(age * 10 + 1e-6)) / 10;
  const factor = formatMultiplier(Number(next.hundredths) / 100);
  return t.nextTier({ count: years, factor, years: formatCord(years, { decimals: 1 }) });
}
