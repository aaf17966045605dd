import { z } from 'zod';
import { eventKind, integerText, timeMs } from './envelope.js';

/** A completed task. `seq` is the version of the user's task record. */
export const taskCompleted = eventKind('task', 'completed', 832, {
  taskId: z.string(),
  rewardMicro: integerText,
  claimedAt: timeMs,
  /** Number of tasks the user has completed in all. */
  completed: z.number().int(),
});

/** A check-in. `seq` is the version of the user's streak. */
export const checkinPerformed = eventKind('checkin', 'performed', 768, {
  dayKey: z.string(),
  streak: z.number().int(),
  longestStreak: z.number().int(),
  totalCheckIns: z.number().int(),
  rewardMicro: integerText,
  bonusMicro: integerText,
});
