import type { TaskMeasure } from '@cord/contracts/rules/task-kinds';
import type { Claim } from '../record.js';

/** Rules of one type of task. Adding a type: its name in TASK_TYPES (`@cord/contracts/rules/task-kinds`); the compiler names the rest. */
export interface TaskType {
  /** As the catalogue has it. */
  name: string;
  /** What progress counts when the task names no measure of its own; null leaves it at 0. */
  measure: TaskMeasure | null;
  /** When a claimed task opens again, ms since epoch; null: never. */
  opensAgainAtMs(claim: Claim): number | null;
  /**
   * Last part of the ledger's idempotency key, one for each claim that may be paid: `once`, a number or an ISO week
   * (`@cord/contracts/rules/ledger-keys`).
   * @param forMs a time in the period that the claim is for, ms since epoch
   */
  claimKey(claims: number, forMs: number): string;
  /** Whether the claim needs a visit to the task's link at least 5 s before. */
  needsVisit: boolean;
  /** A one-time reward: refused to a user who returns after an erasure (services/README.md#erasure). */
  once: boolean;
}
