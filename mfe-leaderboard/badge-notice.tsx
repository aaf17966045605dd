import { badgePercent } from '@cord/contracts/rules/rule-book';
import { Part, useRuleBook, useSessionValue, useTexts } from '@cord/sdk';
import { formatPercent, Notice } from '@cord/ui';
import { Medal } from 'lucide-react';
import { TEXTS } from './texts';

/** Whether the reader carries the badge, and the way to buy it. */
export function BadgeNotice() {
  const t = useTexts(TEXTS);
  const owned = useSessionValue(({ user }) => user?.hasbadgeofhonor);
  const percent = formatPercent(badgePercent(useRuleBook()));
  if (owned === undefined) return null;
  return (
    <Notice
      tone="honor"
      icon={<Medal />}
      title={owned ? t.badgeOwned : t.badgeNotOwned}
      action={<Part name="wallet/purchase-button" />}
    >
      {(owned ? t.badgeOwnedText : t.badgeNotOwnedText)({ percent })}
    </Notice>
  );
}
