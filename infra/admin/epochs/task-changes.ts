import type { OperatorsTask } from '@cord/contracts/http/tasks';
import { taskRewardMicro } from '@cord/contracts/rules/bonuses';
import { microToNumber, numberToMicro } from '@cord/contracts/rules/money';
import type { TextsOf } from '@cord/sdk';
import { exactCord } from '../room/amounts';
import type { Change } from '../room/confirm-panel';
import { minuteOfYear } from '../room/moments';
import { textOr } from '../room/texts';
import { type Act, changeLines } from './act';
import type { TEXTS } from './texts';
import { TASK_FIELDS, type TaskFields } from './use-epochs';

type Texts = TextsOf<typeof TEXTS>;

/** A line for each field that an act changes. */
export function taskChanges(act: Act<TaskFields>, t: Texts): Change[] {
  const names: Record<(typeof TASK_FIELDS)[number], string> = {
    type: t.kind,
    title: t.taskTitle,
    description: t.taskText,
    reward: t.reward,
    maxProgress: t.goal,
    measure: t.measure,
    socialUrl: t.link,
    expiresAt: t.taskEnds,
  };
  const textOf = (task: TaskFields, field: (typeof TASK_FIELDS)[number]) => {
    if (field === 'reward') return exactCord(task.reward);
    if (field === 'expiresAt') return task.expiresAt ? minuteOfYear(task.expiresAt) : t.none;
    if (field === 'type') return textOr(t, `kind.${task.type}`, task.type);
    if (field === 'measure') return task.measure ? textOr(t, `measure.${task.measure}`, task.measure) : t.none;
    return String(task[field] ?? '') || t.none;
  };
  return changeLines(act, TASK_FIELDS, { names, textOf, none: t.none });
}

/** The sum that recent claims would have paid at another base reward, CORD. */
export function wouldPay({ claims }: Pick<OperatorsTask, 'claims'>, reward: number): number {
  const micro = claims.byTier.reduce(
    (sum, { multiplier, count }) =>
      sum + taskRewardMicro(numberToMicro(reward), BigInt(Math.round(multiplier * 100))) * BigInt(count),
    0n,
  );
  return microToNumber(micro);
}
