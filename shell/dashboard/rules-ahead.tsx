import { bookUntilMs } from '@cord/contracts/rules/rule-book';
import { Lazy, lazyFile, useRuleBooks, useSdk } from '@cord/sdk';

/** Lazy, since it is rarely needed. */
const CARD = lazyFile(() => import('../rules/ahead-card').then(({ AheadCard }) => AheadCard));

/** Shows an announced change of the rules with the user's rate before and after; else nothing. */
export function RulesAhead() {
  const { clock } = useSdk();
  if (!Number.isFinite(bookUntilMs(useRuleBooks(), clock.now()))) return null;
  return <Lazy of={CARD} part="dashboard/rules-ahead" />;
}
