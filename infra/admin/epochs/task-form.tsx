import type { OperatorsTask } from '@cord/contracts/http/tasks';
import { TASK_MEASURES, TASK_TYPES } from '@cord/contracts/rules/task-kinds';
import { useTexts } from '@cord/sdk';
import { ChipGroup, formatCord, formatCount, Input, Stack } from '@cord/ui';
import { type FormEvent, useState } from 'react';
import { minuteOfYear } from '../room/moments';
import { decimalOf, integerOf } from '../room/typed-numbers';
import { type Act, changedOf, NEW } from './act';
import s from './epochs.module.css';
import { FormButtons } from './form-buttons';
import { wouldPay } from './task-changes';
import { TEXTS } from './texts';
import { TASK_FIELDS, type TaskFields } from './use-epochs';
import { numberText, useTyped } from './use-typed';
import { fromField, toField } from './utc-field';

/** Initial values of a new task. */
export const NEW_TASK: TaskFields & Pick<OperatorsTask, 'claims'> = {
  id: '',
  type: 'daily',
  title: '',
  description: '',
  reward: 50,
  maxProgress: 1,
  measure: null,
  socialUrl: null,
  expiresAt: null,
  claims: { count: 0, paid: 0, byTier: [] },
};

/** The option for the default measure of the task type. */
const OWN = 'own' as const;
const REWARD_MAX = 10_000;
/** Decimal places of a reward in CORD. */
const REWARD_PLACES = 6;
const GOAL_MAX = 1_000_000;

function rewardOf(typed: string): number | null {
  const number = (integerOf(typed, REWARD_PLACES) ?? Number.NaN) / 1e6;
  return number > 0 && number <= REWARD_MAX ? number : null;
}

const rewardText = (reward: number) => decimalOf(Math.round(reward * 1e6), REWARD_PLACES);

function goalOf(typed: string): number | null {
  const number = integerOf(typed, 0);
  return number !== null && number >= 1 && number <= GOAL_MAX ? number : null;
}

interface TaskFormProps {
  task: TaskFields & Pick<OperatorsTask, 'claims'>;
  isNew: boolean;
  /** Length of the period in which claims were counted, days. */
  days: number;
  waits: boolean;
  onAct: (act: Act<TaskFields>) => void;
  onDiscard: () => void;
}

/** The form of one task. Its type and measure cannot change, because users' progress depends on them. */
export function TaskForm({ task, isNew, days, waits, onAct, onDiscard }: TaskFormProps) {
  const t = useTexts(TEXTS);
  const { claims, ...fields } = task;
  const { draft, change } = useTyped<TaskFields>('task', isNew ? NEW : task.id, fields);
  const [typedReward, setReward] = useState(rewardText(task.reward));
  const reward = numberText(typedReward, rewardOf(typedReward), draft.reward, rewardText);
  const [typedGoal, setGoal] = useState(String(task.maxProgress));
  const goal = numberText(typedGoal, goalOf(typedGoal), draft.maxProgress);
  const act: Act<TaskFields> = { before: isNew ? null : fields, after: draft };
  const changed = changedOf(act, TASK_FIELDS);
  const rewardOff = rewardOf(reward) === null;
  const goalOff = goalOf(goal) === null;
  const isReady =
    !rewardOff && !goalOff && changed.length > 0 && /^[a-z0-9][a-z0-9-]*$/.test(draft.id) && draft.title.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !waits) onAct(act);
  };
  return (
    <Stack
      as="form"
      gap={16}
      noValidate
      onSubmit={submit}
      aria-label={isNew ? t.newTask : t.editTask({ task: task.id })}
    >
      {isNew && (
        <>
          <ChipGroup
            label={t.kind}
            value={draft.type}
            options={TASK_TYPES.map((value) => ({ value: value as string, label: t[`kind.${value}`] }))}
            onChange={(type) => change({ type })}
          />
          <ChipGroup
            label={t.measure}
            className="l-wrap"
            value={draft.measure ?? OWN}
            options={[OWN, ...TASK_MEASURES].map((value) => ({
              value: value as string,
              label: t[`measure.${value}`],
            }))}
            onChange={(measure) => change({ measure: measure === OWN ? null : measure })}
          />
        </>
      )}
      <Stack gap={12} className={s.fields}>
        {isNew && (
          <Input
            label={t.id}
            value={draft.id}
            maxLength={64}
            onChange={({ target: { value } }) => change({ id: value.toLowerCase() })}
          />
        )}
        <Input
          label={t.taskTitle}
          value={draft.title}
          maxLength={120}
          onChange={({ target: { value } }) => change({ title: value })}
        />
        <Input
          label={t.reward}
          inputMode="decimal"
          value={reward}
          onChange={({ target: { value } }) => {
            setReward(value);
            const number = rewardOf(value);
            if (number !== null) change({ reward: number });
          }}
          error={rewardOff ? t.rewardRange({ most: formatCount(REWARD_MAX) }) : undefined}
        />
        <Input
          label={t.goal}
          help={t.goalHelp}
          inputMode="numeric"
          value={goal}
          onChange={({ target: { value } }) => {
            setGoal(value);
            const number = goalOf(value);
            if (number !== null) change({ maxProgress: number });
          }}
          error={goalOff ? t.goalRange({ most: formatCount(GOAL_MAX) }) : undefined}
        />
        <Input
          label={t.taskEnds}
          help={draft.expiresAt ? `${minuteOfYear(draft.expiresAt)}. ${t.taskEndsHelp}` : t.taskEndsHelp}
          type="datetime-local"
          value={toField(draft.expiresAt)}
          onChange={({ target: { value } }) => change({ expiresAt: fromField(value, task.expiresAt) })}
        />
        <Input
          label={t.link}
          help={t.linkHelp}
          type="url"
          value={draft.socialUrl ?? ''}
          maxLength={500}
          onChange={({ target: { value } }) => change({ socialUrl: value === '' ? null : value })}
        />
      </Stack>
      <Input
        label={t.taskText}
        value={draft.description}
        maxLength={500}
        onChange={({ target: { value } }) => change({ description: value })}
      />
      {!isNew && <TaskEffect task={task} reward={draft.reward} days={days} />}
      <FormButtons
        {...{ isNew, isReady, waits }}
        changed={changed.length}
        saveText={t.saveTask}
        onDiscard={onDiscard}
        onTakeOut={isNew ? null : () => onAct({ before: fields, after: null })}
      />
    </Stack>
  );
}

/** The CORD that another base reward would have issued, from recent claims and the tiers of the claimants. */
function TaskEffect({ task, reward, days }: Pick<TaskFormProps, 'task' | 'days'> & { reward: number }) {
  const t = useTexts(TEXTS);
  const { count, paid } = task.claims;
  const ofDays = { days: String(days) };
  if (count === 0) return <p className={s.effect}>{t.taskNever(ofDays)}</p>;
  const would = wouldPay(task, reward);
  const amount = formatCord(Math.abs(would - paid) / days);
  return (
    <p className={s.effect} aria-live="polite">
      <strong>{t.what}</strong>{' '}
      {t.taskEffect({ count, ...ofDays, paid: formatCord(paid), reward: formatCord(reward), would: formatCord(would) })}{' '}
      {would !== paid && (would > paid ? t.taskMore({ amount }) : t.taskLess({ amount }))}
    </p>
  );
}
