import type { UserTask } from '@cord/contracts/http/tasks';
import { formatWhen, useServerNow, useSessionValue, useTexts } from '@cord/sdk';
import { Button, formatCord, Row } from '@cord/ui';
import { Clock, ExternalLink, Lock } from 'lucide-react';
import { TaskCard, TaskHint } from './task-card';
import {
  CHECKIN_TASK,
  completedOn,
  FILTERS,
  hintOf,
  isOver,
  percentDone,
  progressText,
  shownTask,
  stateOf,
} from './task-view';
import { TEXTS } from './texts';
import type { Checkin } from './use-checkin';
import { useClaim, useVisit } from './use-tasks';

interface TaskItemProps {
  task: UserTask;
  checkin: Checkin;
}

/** One task of the grid. */
export function TaskItem({ task: known, checkin }: TaskItemProps) {
  const t = useTexts(TEXTS);
  const task = shownTask(
    known,
    useSessionValue(({ user }) => user?.account_age),
  );
  const nowMs = useServerNow(task.completed ? task.availableAt !== null : false);
  const state = stateOf(task, nowMs);
  const category = FILTERS.find((filter) => filter === task.category);
  return (
    <TaskCard
      title={task.title}
      description={descriptionOf(task, nowMs)}
      category={task.category}
      categoryText={category === undefined ? t.otherType : t[`filters.${category}`]}
      reward={task.reward}
      percent={percentDone(task)}
      progressText={progressText(task)}
      state={state}
      completedOn={completedOn(task, nowMs)}
      testId={`task-${task.id}`}
      action={state === 'completed' ? undefined : <Action task={task} checkin={checkin} nowMs={nowMs} />}
    />
  );
}

function descriptionOf(task: UserTask, nowMs: number): string {
  if (task.socialUrl === null || task.visitedAt === null || task.completed || isOver(task, nowMs))
    return task.description;
  return TEXTS.get().visitedAt({ time: formatWhen(Date.parse(task.visitedAt), nowMs) });
}

/** The action of an open task: check in, visit, claim, or wait. */
function Action({ task, checkin, nowMs }: TaskItemProps & { nowMs: number }) {
  const t = useTexts(TEXTS);
  const visit = useVisit(task);
  if (task.id === CHECKIN_TASK) {
    return (
      <Button needsServer block loading={checkin.performing} loadingText={t.checkingIn} onClick={checkin.perform}>
        {t.checkIn}
      </Button>
    );
  }
  if (isOver(task, nowMs)) return <Waiting task={task} />;
  if (stateOf(task, nowMs) === 'claimable') return <Claim task={task} visit={visit} />;
  if (task.socialUrl !== null) {
    return (
      <Button needsServer block trailingIcon={<ExternalLink />} onClick={visit}>
        {t.visit}
      </Button>
    );
  }
  return <Waiting task={task} />;
}

function Claim({ task, visit }: { task: UserTask; visit: () => void }) {
  const t = useTexts(TEXTS);
  const claim = useClaim(task);
  return (
    <Row gap={8} className="l-whole">
      <Button
        needsServer
        variant="primary"
        block
        loading={claim.isPending}
        loadingText={t.claiming}
        onClick={claim.press}
      >
        {t.claim({ amount: formatCord(task.reward) })}
      </Button>
      {task.socialUrl !== null && (
        <Button icon={<ExternalLink />} aria-label={t.visitAgain({ title: task.title })} needsServer onClick={visit} />
      )}
    </Row>
  );
}

function Waiting({ task }: { task: UserTask }) {
  const nowMs = useServerNow();
  const { kind, text } = hintOf(task, nowMs);
  const Icon = kind === 'locked' ? Lock : Clock;
  return <TaskHint icon={<Icon size={16} aria-hidden="true" />}>{text}</TaskHint>;
}
