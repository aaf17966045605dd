import { bookUntilMs } from '@cord/contracts/rules/rule-book';
import { Lazy, useRuleBooks, useSdk } from '@cord/sdk';
import { RULES_AHEAD } from '../app/lazy-files';

/** An announced change of the rules, with the own rate before and after; nothing while none is. */
export function RulesAhead() {
  const { clock } = useSdk();
  if (!Number.isFinite(bookUntilMs(useRuleBooks(), clock.now()))) return null;
  return <Lazy of={RULES_AHEAD} part="dashboard/rules-ahead" />;
}
