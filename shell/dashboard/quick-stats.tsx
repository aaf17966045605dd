import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { badgePercent } from '@cord/contracts/rules/rule-book';
import { multiplierText, useRate, useRuleBook, useSessionValue, useTexts } from '@cord/sdk';
import { Cell, Cells, formatAge, formatCord, formatMultiplier, formatPercent, formatRate } from '@cord/ui';
import { DASHBOARD_TEXTS } from './texts';
import { Why } from './why';

/** Rate, multiplier, age, badge. */
export function QuickStats() {
  const t = useTexts(DASHBOARD_TEXTS);
  const multiplier = useSessionValue(({ user }) => user?.multiplier);
  const age = useSessionValue(({ user }) => user?.account_age);
  const isHonored = useSessionValue(({ user }) => user?.hasbadgeofhonor);
  const rate = useRate();
  const book = useRuleBook();
  if (multiplier === undefined || age === undefined) return null;
  return (
    <Cells columns={4} phoneColumns={2}>
      <Cell
        label={t.miningRate}
        value={formatRate(rate?.perMinute)}
        hint={t.perMinute}
        info={rate && <Why about={t.miningRate} of="rate" />}
      />
      <Cell
        label={t.multiplier}
        value={formatMultiplier(multiplier)}
        hint={t.fromAge}
        info={rate && <Why about={t.multiplier} of="rate" />}
      />
      <Cell
        label={t.accountAge}
        value={formatAge(age)}
        hint={nextTier(book, age)}
        info={<Why about={t.accountAge} of="age" />}
      />
      <Cell
        label={t.badgeStatus}
        value={isHonored ? t.badgeOwned : t.badgeNone}
        hint={(isHonored ? t.badgeOwnedHint : t.badgeNoneHint)({ percent: formatPercent(badgePercent(book)) })}
        info={<Why about={t.badgeStatus} of="badge" />}
      />
    </Cells>
  );
}

/** Describes the next tier: "×5 in 0.6 years". */
function nextTier({ tiers }: RuleBook, age: number): string {
  const next = tiers.find(({ fromYears }) => fromYears > age);
  const t = DASHBOARD_TEXTS.get();
  if (next === undefined) return t.highestTier;
  const years = (next.fromYears * 10 - Math.floor(age * 10 + 1e-6)) / 10;
  const factor = multiplierText(next.hundredths);
  return t.nextTier({ count: years, factor, years: formatCord(years, { decimals: 1 }) });
}
