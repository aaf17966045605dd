import { bookUntilMs } from '@cord/contracts/rules/rule-book';
import { useRuleBooks, useSdk, useTexts } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { CalendarClock } from 'lucide-react';
import { RULES_VIEW } from '../app/bundles';
import { formatMoment, OwnRate } from './history';
import { RULES_TEXTS } from './texts';

/** Dashboard card of an announced rule change: start, the user's rate before and after, and a link to the rules. */
export function AheadCard() {
  const t = useTexts(RULES_TEXTS);
  const { clock, tabs } = useSdk();
  const fromMs = bookUntilMs(useRuleBooks(), clock.now());
  const open = () => {
    tabs.setParam('settings', 'view', RULES_VIEW);
    tabs.go('settings');
  };
  return (
    <Notice
      tone="sky"
      icon={<CalendarClock />}
      title={t.ahead({ when: formatMoment(fromMs) })}
      action={
        <Button size="sm" onClick={open}>
          {t.title}
        </Button>
      }
      testId="rules-ahead"
    >
      <OwnRate />
    </Notice>
  );
}
