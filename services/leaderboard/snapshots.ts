import type { Clock } from '@cord/kit/clock';
import { type PeriodicParts, periodic, type Turn } from '@cord/kit/periodic';
import type { Board } from './domain/board.js';
import type { Following } from './events.js';
import type { LeaderboardStore } from './store.js';

const EVERY_MS = 300_000;
/** Longer than the interval, so that the same replica goes on writing. */
const LEASE_MS = 420_000;

/** Writes the board into the store every five minutes, by whichever replica holds the lease (money.md, Rankings). */
export function writeSnapshots({
  board,
  following,
  store,
  ...parts
}: PeriodicParts & {
  board: Board;
  following: Following;
  store: LeaderboardStore;
  clock: Clock;
}): { stop(): Promise<void> } {
  let writtenSeq = -1;
  const write = async ({ mine }: Turn): Promise<boolean> => {
    const balanceStreamSeq = following.balanceStreamSeq();
    if (balanceStreamSeq === writtenSeq || !(await mine())) return false;
    await store.saveSnapshot({ balanceStreamSeq, atMs: parts.clock.now() }, board.miners());
    writtenSeq = balanceStreamSeq;
    return true;
  };
  const writing = periodic(parts, { name: 'snapshots', everyMs: EVERY_MS, leaseMs: LEASE_MS, soon: false, run: write });
  writing.start();
  return { stop: writing.stop };
}
