import type { Mine, Turn } from './periodic.js';

/** What falls due as of one look. */
export interface Due<T> {
  /** The first of what is due and of what `mine` takes, the longest waiting first, at most `limit`. */
  read(limit: number, mine: Mine): Promise<readonly T[]>;
  each(one: T): Promise<unknown>;
}

const all: Mine = () => true;

/**
 * Does what is due, batch by batch, until less than a batch is left; a look comes before the lease (`Turn.mine`).
 * @param look asked before each batch, since time goes on; null once there is nothing to do by then
 * @throws the first failure of a batch once all of it is through: what is left comes with the next run
 */
export async function inBatches<T>(
  { mine }: Pick<Turn, 'mine'>,
  size: number,
  look: () => Due<T> | null,
): Promise<void> {
  for (;;) {
    const due = look();
    if (due === null || (await due.read(1, all)).length === 0) return;
    const own = await mine();
    if (!own) return;
    const batch = await due.read(size, own);
    await allThrough(batch.map((one) => due.each(one)));
    if (batch.length < size) return;
  }
}

/** Waits for all, also when some fail, so that nothing goes on behind it. @throws the first failure */
export async function allThrough<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
