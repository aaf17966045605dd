/** Types with rules of their own; any other is stored and shown as "Task". */
export const TASK_TYPES = ['daily', 'weekly', 'social', 'achievement'] as const;
export type TaskKind = (typeof TASK_TYPES)[number];

/** Measures of a task's progress; without one the type's own applies. */
export const TASK_MEASURES = [
  'node-seconds-today',
  'mined-this-week',
  'friends',
  'account-age-5',
  'check-in',
  'visit',
  'social-completed',
  'total-earned',
] as const;
export type TaskMeasure = (typeof TASK_MEASURES)[number];
