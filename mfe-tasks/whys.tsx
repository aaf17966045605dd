import type { UserTask } from '@cord/contracts/http/tasks';
import { LedgerEntries, useTexts } from '@cord/sdk';
import { formatCount, WhyNumber } from '@cord/ui';
import { summaryOf } from './task-view';
import { TEXTS } from './texts';
import type { Checkin } from './use-checkin';

/** Explains the pay of all tasks, with its ledger entries. */
export function RewardsWhy() {
  const t = useTexts(TEXTS);
  return (
    <WhyNumber about={t.summaryRewards} formula={t.whyRewards}>
      <LedgerEntries sources={['task', 'checkin']} />
    </WhyNumber>
  );
}

/** Explains the number of completed tasks. */
export function CompletedWhy({ tasks, about }: { tasks: readonly UserTask[] | undefined; about: string }) {
  const t = useTexts(TEXTS);
  const summary = tasks && summaryOf(tasks);
  return (
    <WhyNumber
      about={about}
      formula={t.whyCompleted}
      inputs={[
        { label: t.summaryCompleted, value: formatCount(summary?.completed) },
        { label: t.whyTasks, value: formatCount(summary?.total) },
      ]}
    />
  );
}

/** Explains the streak, with its check-ins. */
export function StreakWhy({ checkin }: { checkin: Checkin }) {
  const t = useTexts(TEXTS);
  return (
    <WhyNumber
      about={t.summaryStreak}
      formula={t.whyStreak}
      inputs={[
        { label: t.whyLongest, value: formatCount(checkin.status?.stats.longestStreak) },
        { label: t.whyCheckins, value: formatCount(checkin.status?.stats.totalCheckIns) },
      ]}
    >
      <LedgerEntries sources={['checkin']} />
    </WhyNumber>
  );
}
