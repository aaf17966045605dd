import type { Clock } from '@cord/kit/clock';
import { type Metrics, one } from '@cord/kit/metrics';
import type { Board } from './domain/board.js';
import type { LeaderboardStore } from './store.js';

/**
 * Registers the metrics of this replica's board and of the snapshot.
 * @returns records that a credit is visible now, given the time of the credit
 */
export function measureBoard(
  metrics: Metrics,
  { board, store, clock }: { board: Board; store: Pick<LeaderboardStore, 'snapshotAtMs'>; clock: Pick<Clock, 'now'> },
): (creditedAtMs: number) => void {
  metrics.measured('cord_nodes_active', async () => one(board.stats(clock.now()).activeMiners));
  metrics.measured('cord_board_users', async () => one(board.size));
  metrics.measured('cord_board_snapshot_age_seconds', async () => {
    const atMs = await store.snapshotAtMs();
    return atMs === null ? [] : one(Math.max(0, clock.now() - atMs) / 1_000);
  });
  const visible = metrics.histogram('cord_credit_visible_seconds');
  return (creditedAtMs) => visible.observe(Math.max(0, clock.now() - creditedAtMs) / 1_000);
}
