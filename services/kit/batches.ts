import type { Turn } from './periodic.js';
import type { IdFilter } from './store/first-matching.js';

/** The items due at one check. */
export interface Due<T extends string | { readonly _id: string }> {
  /** Returns the due items that match the filter, longest waiting first, at most `limit`. */
  read(limit: number, takes: IdFilter): Promise<readonly T[]>;
  /** Processes one item. `left` when it stays due and is skipped until the next run. */
  each(one: T): Promise<unknown>;
}

/**
 * Processes due items batch by batch until a batch is not full. It checks for work before it takes the lease (`Turn.lease`). An item
 * that fails or is left blocks no other: the run continues, and the next run tries it again.
 * @param look called before each batch, because time passes; returns null when nothing is due
 * @throws the first failure, after all other items are done: it counts as a failed run
 */
export async function inBatches<T extends string | { readonly _id: string }>(
  { lease }: Pick<Turn, 'lease'>,
  size: number,
  look: () => Due<T> | null,
): Promise<void> {
  const passed = new Set<string>();
  const failures: unknown[] = [];
  const isLeft: IdFilter = (id) => !passed.has(id);
  for (;;) {
    const due = look();
    if (due === null || (await due.read(1, isLeft)).length === 0) break;
    if (!(await lease())) break;
    const batch = await due.read(size, isLeft);
    const outcomes = await Promise.allSettled(batch.map((one) => due.each(one)));
    for (const [index, outcome] of outcomes.entries()) {
      const one = batch[index];
      if (one === undefined || (outcome.status === 'fulfilled' && outcome.value !== 'left')) continue;
      passed.add(typeof one === 'string' ? one : one._id);
      if (outcome.status === 'rejected') failures.push(outcome.reason);
    }
    if (batch.length < size) break;
  }
  if (failures.length > 0) throw failures[0];
}

/** Waits for all promises even when some fail, so that none still runs afterwards. @throws the first failure */
export async function awaitAll<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
