import { DAY_MS, weekKey } from '@cord/contracts/rules/days';
import { TASK_TYPES, type TaskKind, type TaskMeasure } from '@cord/contracts/rules/task-kinds';
import { TASK_WINDOW_MS } from '@cord/contracts/rules/timings';
import { type Claim, weekOf } from './record.js';

/** Rules of one type of task. To add a type, add its name to TASK_TYPES (`@cord/contracts/rules/task-kinds`); the compiler reports the rest. */
export interface TaskType {
  /** Name in the catalogue. */
  name: string;
  /** Measure of progress when the task sets none of its own; null keeps progress at 0. */
  measure: TaskMeasure | null;
  /** When a claimed task opens again, ms since epoch; null: never. */
  opensAgainAtMs(claim: Claim): number | null;
  /**
   * Returns the last part of the ledger's idempotency key, unique for each payable claim: `once`, a number or an ISO
   * week (`@cord/contracts/rules/ledger-keys`).
   * @param forMs a time in the period that the claim is for, ms since epoch
   */
  claimKey(claims: number, forMs: number): string;
  /** Whether the claim needs a visit to the task's link at least 5 s before. */
  needsVisit: boolean;
  /** Whether it is a one-time reward, which is refused after a return (services/README.md#erasure). */
  once: boolean;
}

/** Opens again 24 h after the claim. */
const daily: TaskType = {
  name: 'daily',
  measure: 'node-seconds-today',
  opensAgainAtMs: (claim) => claim.atMs + TASK_WINDOW_MS,
  claimKey: (claims) => String(claims + 1),
  needsVisit: false,
  once: false,
};

/** Opens again with the next ISO week. */
const weekly: TaskType = {
  name: 'weekly',
  measure: 'mined-this-week',
  opensAgainAtMs: (claim) => weekOf(claim) + 7 * DAY_MS,
  claimKey: (_claims, forMs) => weekKey(forMs),
  needsVisit: false,
  once: false,
};

/** Never opens again. */
const achievement: TaskType = {
  name: 'achievement',
  measure: 'total-earned',
  opensAgainAtMs: () => null,
  claimKey: () => 'once',
  needsVisit: false,
  once: true,
};

/** Claimed once, after a visit of the link. */
const social: TaskType = { ...achievement, name: 'social', measure: 'visit', needsVisit: true };

/** All types with rules of their own. */
const TYPES: Readonly<Record<TaskKind, TaskType>> = { daily, weekly, social, achievement };

/** Unknown types are kept and shown as "Task"; without a measure they stay at 0. */
const unknown: TaskType = { ...achievement, name: 'other', measure: null };

/** Returns the rules of a catalogue type. */
export function taskTypeOf(name: string): TaskType {
  const kind = TASK_TYPES.find((known) => known === name);
  return kind ? TYPES[kind] : unknown;
}
