import { bookUntilMs } from '@cord/contracts/rules/rule-book';
import { Lazy, lazyFile, useRuleBooks, useSdk } from '@cord/sdk';

/** Few days have one. */
const CARD = lazyFile(() => import('../rules/ahead-card').then(({ AheadCard }) => AheadCard));

/** An announced change of the rules, with the own rate before and after; nothing while none is. */
export function RulesAhead() {
  const { clock } = useSdk();
  if (!Number.isFinite(bookUntilMs(useRuleBooks(), clock.now()))) return null;
  return <Lazy of={CARD} part="dashboard/rules-ahead" />;
}
