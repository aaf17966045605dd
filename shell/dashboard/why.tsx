import { Lazy, useTexts } from '@cord/sdk';
import { TabErrorPanel, WhyPopover } from '@cord/ui';
import { ANSWERS } from '../app/lazy-files';
import type { QuestionId } from './answers';
import { DASHBOARD_TEXTS } from './texts';

/** "Why this number?" for a number of the dashboard. The answers are lazy, since few visits need them. */
export function Why({ about, of }: { about: string; of: QuestionId }) {
  const t = useTexts(DASHBOARD_TEXTS);
  return (
    <WhyPopover about={about}>
      <Lazy
        of={ANSWERS}
        part="dashboard/answers"
        props={{ of }}
        failed={(again) => <TabErrorPanel compact title={t.answerMissing} {...again} />}
      />
    </WhyPopover>
  );
}
