import type { UserTask } from '@cord/contracts/http/tasks';
import { type PartProps, useSdk, useServerNow, useTexts } from '@cord/sdk';
import {
  Button,
  Card,
  formatCord,
  formatCount,
  LinkButton,
  Progress,
  Row,
  Skeleton,
  SkeletonRegion,
  Stack,
  TabErrorPanel,
} from '@cord/ui';
import { Flame } from 'lucide-react';
import { payText } from './pay-text';
import { CHECKIN_TASK, completedOn, stateOf, summaryOf } from './task-view';
import s from './tasks-card.module.css';
import { TEXTS } from './texts';
import { type Checkin, useCheckin } from './use-checkin';
import { useTasks } from './use-tasks';
import { CompletedWhy, RewardsWhy, StreakWhy } from './whys';

const LISTED = 2;

/** Tasks on the dashboard: number done, claimable tasks, and today's check-in. */
export function TasksCard(_props: PartProps) {
  const t = useTexts(TEXTS);
  const { tasks, failed, fetching, reload } = useTasks({ quiet: true });
  const checkin = useCheckin();
  const { go } = useSdk().tabs;
  return (
    <Card
      title={t.cardTitle}
      aside={<LinkButton onClick={() => go('tasks')}>{t.cardLink}</LinkButton>}
      className="l-column"
    >
      {failed ? (
        <div className={s.failed}>
          <TabErrorPanel compact title={t.loadFailed} onRetry={reload} retrying={fetching} />
        </div>
      ) : tasks === undefined ? (
        <SkeletonRegion heights={[140]} />
      ) : (
        <Standing tasks={tasks} />
      )}
      <StreakRow checkin={checkin} />
    </Card>
  );
}

function Standing({ tasks }: { tasks: readonly UserTask[] }) {
  const t = useTexts(TEXTS);
  const { completed, total, rewards, percent } = summaryOf(tasks);
  const nowMs = useServerNow(false);
  const isClaimable = (task: UserTask) => stateOf(task, nowMs) === 'claimable';
  const next = tasks
    .filter((task) => !task.completed && task.id !== CHECKIN_TASK)
    .sort((a, b) => Number(isClaimable(b)) - Number(isClaimable(a)))
    .slice(0, LISTED);
  const allDone = completed === total;
  return (
    <Stack gap={10}>
      <Row as="p" gap={8} align="baseline">
        <span className="t-n32" data-number>
          {formatCount(completed)}
        </span>
        <span className="t-unit">{t.cardCompleted({ total })}</span>
        <CompletedWhy tasks={tasks} about={t.summaryCompleted} />
      </Row>
      <Progress percent={percent} label={t.summaryProgress} tone={allDone ? 'live' : 'bar'} bare />
      <Row as="p" gap={6} align="center" className="c-2">
        <span data-number>{t.cardEarned({ amount: formatCord(rewards) })}</span>
        <RewardsWhy />
      </Row>
      <ul>
        {next.map((task) => (
          <Row as="li" gap={12} align="baseline" between key={task.id} className={s.row}>
            <span className="t-cut">{task.title}</span>
            {isClaimable(task) ? (
              <strong className="l-fixed c-accent">{t.cardToClaim({ amount: formatCord(task.reward) })}</strong>
            ) : (
              <span className="l-fixed c-2">{formatCord(task.reward)}</span>
            )}
          </Row>
        ))}
        {allDone && <OpenAgain tasks={tasks} />}
      </ul>
    </Stack>
  );
}

/** Tasks that reopen, next one first; shown when everything is done. */
function OpenAgain({ tasks }: { tasks: readonly UserTask[] }) {
  const nowMs = useServerNow();
  return tasks
    .flatMap((task) =>
      task.availableAt === null || task.id === CHECKIN_TASK ? [] : { ...task, atMs: Date.parse(task.availableAt) },
    )
    .sort((a, b) => a.atMs - b.atMs)
    .slice(0, LISTED)
    .map((task) => (
      <Row as="li" gap={12} align="baseline" between key={task.id} className={s.row}>
        <span className="t-cut">{task.title}</span>
        <span className="l-fixed c-2">{completedOn(task, nowMs)}</span>
      </Row>
    ));
}

function StreakRow({ checkin }: { checkin: Checkin }) {
  const t = useTexts(TEXTS);
  const { status, loadError } = checkin;
  if (status === undefined) {
    return <div className={s.streak}>{loadError === null ? <Skeleton height={40} /> : <p>{loadError}</p>}</div>;
  }
  const { currentStreak, canCheckIn } = status;
  const pays = payText(status.nextReward + status.nextBonus);
  return (
    <div className={s.streak}>
      <Flame size={20} />
      <div className="l-grow">
        <Row as="p" gap={4} align="center">
          <span className="t-strong" data-testid="streak" data-value={currentStreak}>
            {currentStreak === 0 ? t.cardNoStreak : t.cardStreak({ count: currentStreak })}
          </span>
          <StreakWhy checkin={checkin} />
        </Row>
        <p className="t-label">
          {canCheckIn
            ? currentStreak === 0
              ? t.cardFirstDay({ amount: pays })
              : t.cardCheckin({ amount: pays })
            : t.claimedToday}
        </p>
      </div>
      {canCheckIn && (
        <Button needsServer size="sm" loading={checkin.performing} loadingText={t.checkingIn} onClick={checkin.perform}>
          {t.checkIn}
        </Button>
      )}
    </div>
  );
}
