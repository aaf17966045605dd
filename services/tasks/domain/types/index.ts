import { TASK_TYPES, type TaskKind } from '@cord/contracts/rules/task-kinds';
import { achievement } from './achievement.js';
import { daily } from './daily.js';
import { social } from './social.js';
import type { TaskType } from './task-type.js';
import { weekly } from './weekly.js';

/** Every type with rules of its own. */
const TYPES: Readonly<Record<TaskKind, TaskType>> = { daily, weekly, social, achievement };

/** Unknown types are kept and shown as "Task"; without a measure they stay at 0. */
const unknown: TaskType = { ...achievement, name: 'other', measure: null };

/** Rules of a catalogue type. */
export function taskTypeOf(name: string): TaskType {
  const kind = TASK_TYPES.find((known) => known === name);
  return kind ? TYPES[kind] : unknown;
}
