import type { UserTask } from '@cord/contracts/http/tasks';
import { useSdk, useSessionValue, useTabChoice, useTabParam, useTabView, useTexts } from '@cord/sdk';
import { AsLeft } from '@cord/sdk/views';
import {
  Button,
  Card,
  Cell,
  Cells,
  ChipGroup,
  EmptyState,
  formatAgo,
  formatCord,
  formatCount,
  formatMultiplier,
  formatPercent,
  PageHead,
  Row,
  Skeleton,
  SkeletonRegion,
  Stack,
  TabErrorPanel,
  UNKNOWN,
} from '@cord/ui';
import { RefreshCw } from 'lucide-react';
import { Activity, useState, useSyncExternalStore } from 'react';
import { CheckinCard } from './checkin-card';
import { StreakLinkProvider } from './streak-link';
import { StreakPage } from './streak-page';
import { TaskItem } from './task-item';
import { completedIds, FILTERS, type Filter, matches, summaryOf, withLast } from './task-view';
import s from './tasks-page.module.css';
import { TEXTS } from './texts';
import { type Checkin, useCheckin } from './use-checkin';
import { type Tasks, useTasks } from './use-tasks';
import { CompletedWhy, RewardsWhy, StreakWhy } from './whys';

/** The Task Center, or the streak over it: `?tab=tasks&view=streak`. */
export function TasksPage() {
  const view = useTabView('view');
  const open = view.value === 'streak';
  return (
    <StreakLinkProvider value={view}>
      <Activity mode={open ? 'hidden' : 'visible'}>
        <FilterLeft />
        <TaskCenter />
      </Activity>
      {open && <StreakPage view={view} />}
    </StreakLinkProvider>
  );
}

/** Restores the category. */
function FilterLeft() {
  const t = useTexts(TEXTS);
  const [filter] = useTabChoice('category', FILTERS);
  const kept = { category: useTabParam('category') };
  return <AsLeft place="tasks" kept={kept} chosen={[filter !== FILTERS[0] && t[`filters.${filter}`]]} />;
}

function TaskCenter() {
  const t = useTexts(TEXTS);
  const tasks = useTasks();
  const checkin = useCheckin();
  const multiplier = useSessionValue(({ user }) => user?.multiplier);
  return (
    <Stack gap="var(--gap)">
      <Row gap="8px 16px" align="flex-end" between wrap>
        <PageHead title={t.title}>{t.subtitle({ multiplier: formatMultiplier(multiplier) })}</PageHead>
        <div className={s.updated}>
          <Updated tasks={tasks} />
        </div>
      </Row>
      <CheckinCard checkin={checkin} />
      <Summary tasks={tasks.tasks} failed={tasks.failed} checkin={checkin} />
      <TaskGrid tasks={tasks} checkin={checkin} />
    </Stack>
  );
}

/** Age of the list, with a refresh button. */
function Updated({ tasks }: { tasks: Tasks }) {
  const t = useTexts(TEXTS);
  const nowMs = useLocalNow();
  if (tasks.updatedAtMs === 0) return null;
  return (
    <Button needsServer variant="ghost" size="sm" icon={<RefreshCw />} title={t.refresh} onClick={tasks.reload}>
      {t.updated({ ago: formatAgo(nowMs - tasks.updatedAtMs) })}
    </Button>
  );
}

interface SummaryProps {
  tasks: readonly UserTask[] | undefined;
  failed: boolean;
  checkin: Checkin;
}

/** Completed, rewards, progress, and streak. */
function Summary({ tasks, failed, checkin }: SummaryProps) {
  const t = useTexts(TEXTS);
  const summary = tasks === undefined || failed ? undefined : summaryOf(tasks);
  const shown = (text: string) => (summary === undefined ? (failed ? UNKNOWN : undefined) : text);
  const streak = checkin.status?.currentStreak;
  return (
    <Cells columns={4}>
      <Cell
        label={t.summaryCompleted}
        value={shown(formatCount(summary?.completed))}
        unit={summary && t.summaryOf({ total: summary.total })}
        info={<CompletedWhy tasks={tasks} about={t.summaryCompleted} />}
      />
      <Cell label={t.summaryRewards} value={shown(formatCord(summary?.rewards))} info={<RewardsWhy />} />
      <Cell
        label={t.summaryProgress}
        value={shown(formatPercent(summary?.percent))}
        info={<CompletedWhy tasks={tasks} about={t.summaryProgress} />}
      />
      <Cell
        label={t.summaryStreak}
        value={streak === undefined ? (checkin.loadError === null ? undefined : UNKNOWN) : formatCount(streak)}
        unit={streak === undefined ? undefined : t.days({ count: streak })}
        info={<StreakWhy checkin={checkin} />}
      />
    </Cells>
  );
}

/** The filters and their cards. */
function TaskGrid({ tasks, checkin }: { tasks: Tasks; checkin: Checkin }) {
  const t = useTexts(TEXTS);
  const [filter, setFilter] = useTabChoice('category', FILTERS);
  // Tasks completed before are last; one completed now keeps its place while it is visible.
  const [doneBefore, setDoneBefore] = useState<ReadonlySet<string> | null>(null);
  if (tasks.failed && tasks.tasks?.length === 0) {
    return <TabErrorPanel title={t.loadFailed} onRetry={tasks.reload} retrying={tasks.fetching} />;
  }
  const list = tasks.tasks;
  if (list !== undefined && list.length > 0 && doneBefore === null) setDoneBefore(completedIds(list));
  const choose = (next: Filter) => {
    setFilter(next);
    setDoneBefore(null);
  };
  const options = FILTERS.map((value) => ({
    value,
    label: t[`filters.${value}`],
    count: list?.filter((task) => matches(value, task)).length,
  }));
  const shown =
    list &&
    withLast(
      list.filter((task) => matches(filter, task)),
      doneBefore ?? new Set(),
    );
  return (
    <>
      <ChipGroup label={t.filterLabel} value={filter} options={options} onChange={choose} />
      {shown === undefined && <GridSkeleton />}
      {shown?.length === 0 && (
        <Card padding="none">
          <EmptyState
            title={t.emptyTitle}
            level={2}
            action={
              filter === 'all' ? undefined : (
                <Button size="sm" onClick={() => choose('all')}>
                  {t.emptyAction}
                </Button>
              )
            }
          >
            {t.emptyText}
          </EmptyState>
        </Card>
      )}
      {shown !== undefined && shown.length > 0 && (
        <div className={s.grid}>
          {shown.map((task) => (
            <TaskItem key={task.id} task={task} checkin={checkin} />
          ))}
        </div>
      )}
    </>
  );
}

const BOXES = ['one', 'two', 'three', 'four', 'five', 'six'];

function GridSkeleton() {
  return (
    <SkeletonRegion className={s.grid}>
      {BOXES.map((box) => (
        <Skeleton key={box} height={212} card />
      ))}
    </SkeletonRegion>
  );
}

/** Returns this device's time in steps of a second, ms: for the age of data. */
function useLocalNow(): number {
  const { ticker } = useSdk();
  return useSyncExternalStore(ticker.subscribe, () => Math.floor(Date.now() / 1_000)) * 1_000;
}
