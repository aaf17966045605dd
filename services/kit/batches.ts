import type { Turn } from './periodic.js';
import type { IdFilter } from './store/first-matching.js';

/** What falls due as of one look. */
export interface Due<T extends string | { readonly _id: string }> {
  /** The first of what is due and of what the filter takes, the longest waiting first, at most `limit`. */
  read(limit: number, takes: IdFilter): Promise<readonly T[]>;
  /** Does one. `left` when it stays due and is passed over until the next run. */
  each(one: T): Promise<unknown>;
}

/**
 * Does what is due, batch by batch, until less than a batch is left; a look comes before the lease (`Turn.lease`). One that fails, or is
 * left, blocks no other: the rest of its batch and the batches behind it are done, and the next run tries it again.
 * @param look called before each batch, since time goes on; null once there is nothing to do by then
 * @throws the first failure, after everything else is through: it counts as a failed run
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

/** Waits for all, also when some fail, so that nothing goes on behind it. @throws the first failure */
export async function allThrough<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
